import { expect, it } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { consoleLog } from './console-log.ts';

function lines(isTTY: boolean): string[] {
  const written: string[] = [];
  const log = consoleLog({ isTTY, write: (line) => written.push(line) }, new ManualClock());
  log.info({ hostId: 'attic', error: null }, 'a host was added');
  log.error({ error: 'two\nlines' }, 'a request failed');
  return written;
}

it('writes one JSON object a line', () => {
  expect(lines(false).map((line) => JSON.parse(line))).toEqual([
    {
      at: '2026-11-30T12:00:00.000Z',
      level: 'info',
      message: 'a host was added',
      hostId: 'attic',
      error: null,
    },
    { at: '2026-11-30T12:00:00.000Z', level: 'error', message: 'a request failed', error: 'two\nlines' },
  ]);
  expect(lines(false).every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
});

it('writes readable lines on a terminal', () => {
  expect(lines(true)[0]).toBe('12:00:00 a host was added hostId=attic\n');
});
