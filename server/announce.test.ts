import { expect, it } from 'vitest';
import { announceListening, type Listening } from './announce.ts';

const LISTENING: Listening = {
  url: 'http://127.0.0.1:9503',
  pid: 42,
  pairingUrl: 'http://127.0.0.1:9503/#pair=AAAAA-BBBBB',
  lanUrl: 'http://192.168.1.9:9503',
};

function written(isTTY: boolean, listening: Listening = LISTENING): string[] {
  const lines: string[] = [];
  announceListening({ isTTY, write: (line) => lines.push(line) }, listening);
  return lines;
}

it('writes one line of JSON for scripts, and nothing else', () => {
  const lines = written(false);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    event: 'listening',
    url: LISTENING.url,
    pid: 42,
    pairingUrl: LISTENING.pairingUrl,
  });
});

it('tells a person which link to open, here and on the network', () => {
  const text = written(true).slice(1).join('');
  expect(text).toContain('http://127.0.0.1:9503/#pair=AAAAA-BBBBB');
  expect(text).toContain('http://192.168.1.9:9503/#pair=AAAAA-BBBBB');
  const later = written(true, { ...LISTENING, pairingUrl: null, lanUrl: null })
    .slice(1)
    .join('');
  expect(later).toContain('npx drover pair');
  expect(later).not.toContain('#pair');
});
