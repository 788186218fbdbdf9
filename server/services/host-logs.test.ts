import { describe, expect, it } from 'vitest';
import { cutBytes, readEvents } from '../testing/read-events.ts';
import { readConnections, RECORDED_VERSIONS } from '../testing/recordings.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { HostLogs } from './host-logs.ts';

/** Feeds the bytes of a connection, cut anywhere, as a connector does: each source begins with its history. */
function feed(logs: HostLogs, chunks: Iterable<Uint8Array>): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const event of readEvents(chunks)) {
    if (event.type !== 'log') continue;
    const { source, text } = event;
    logs.append({ source, text, isHistory: !texts.has(source) }, 1000);
    texts.set(source, (texts.get(source) ?? '') + text);
  }
  return texts;
}

const linesOf = (logs: HostLogs, source: string): readonly string[] =>
  (logs.sources.get(source)?.tail.after(0) ?? []).flatMap((entry) =>
    entry.type === 'line' ? [entry.text] : [],
  );

describe.each(RECORDED_VERSIONS)('logs of the recording of %s', (version) => {
  const connections = readConnections(version);

  it('are its lines, in order and whole, however the bytes were cut', () => {
    const random = seededRandom(version.length);
    for (const { bytes, chunks } of connections) {
      for (const pieces of [
        chunks,
        cutBytes(bytes, () => 7),
        cutBytes(bytes, () => 1 + Math.floor(random() * 9_000)),
      ]) {
        const logs = new HostLogs();
        const texts = feed(logs, pieces);
        for (const [source, text] of texts) {
          const expected = text.split('\n').slice(0, -1).slice(-2_000);
          expect(linesOf(logs, source)).toEqual(expected.slice(-linesOf(logs, source).length));
          expect(linesOf(logs, source).length).toBeGreaterThanOrEqual(Math.min(expected.length, 500));
        }
      }
    }
  });

  it('of a second listener add nothing that is held, and say where they do not meet', () => {
    const [first] = connections;
    if (first === undefined) throw new Error('no connection');
    const logs = new HostLogs();
    const texts = feed(logs, first.chunks);
    for (const [source, text] of texts) {
      const before = linesOf(logs, source);
      const whole = text.slice(0, text.lastIndexOf('\n') + 1);
      logs.append({ source, text: `${whole.slice(-20_000)}one more\n`, isHistory: true }, 2000);
      expect(linesOf(logs, source).at(-1)).toBe('one more');
      expect(linesOf(logs, source)).toHaveLength(Math.min(2_000, before.length + 1));
      logs.append({ source, text: 'of another life\n', isHistory: true }, 3000);
      expect(logs.sources.get(source)?.tail.after(0).at(-2)).toMatchObject({ type: 'dropped', lines: null });
    }
  });
});
