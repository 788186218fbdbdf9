import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogSplitter, linesAfter } from './log-splitter.ts';
import { LogTail } from './log-tail.ts';
import { takeEntries } from './log-take.ts';

function filled(count: number): LogTail {
  const tail = new LogTail();
  for (let index = 0; index < count; index += 1) push(tail, `line ${index}`);
  return tail;
}

function push(tail: LogTail, text: string): void {
  tail.push({ type: 'line', order: tail.end, at: tail.end, text, lines: 1 });
}

const take = (tail: LogTail, mark: number) =>
  takeEntries(tail, { source: 'proxy', mark, secrets: [], inFull: false });

describe('lines of a log', () => {
  it('are the same however the text was cut', () => {
    const cuts = fc.array(fc.nat({ max: 40 }), { maxLength: 8 });
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-zäß[0-9m ]{0,12}$/), { maxLength: 12 }),
        cuts,
        (lines, at) => {
          const text = lines.map((line) => `${line}\n`).join('');
          const splitter = new LogSplitter();
          const edges = [0, ...at.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
          const read = edges.slice(1).flatMap((edge, index) => splitter.push(text.slice(edges[index], edge)));
          expect(read).toEqual(lines);
        },
      ),
    );
  });

  it('of a host are told from those held already', () => {
    expect(linesAfter(['a', 'b'], ['x', 'a', 'b', 'c'])).toEqual(['c']);
    expect(linesAfter(['a', 'b'], ['a', 'b'])).toEqual([]);
    expect(linesAfter(['a', 'b'], ['c', 'd'])).toBeNull();
    expect(linesAfter([], ['c'])).toBeNull();
  });

  it('are kept up to 2,000 and half a million characters', () => {
    const tail = filled(5_000);
    expect([tail.size, tail.start, tail.end]).toEqual([2_000, 3_000, 5_000]);
    const wide = new LogTail();
    for (let index = 0; index < 200; index += 1) push(wide, 'x'.repeat(8_000));
    expect(wide.size).toBe(65);
  });
});

describe('a reader', () => {
  it('gets what came since its mark, each line once', () => {
    const tail = filled(3);
    const first = take(tail, 0);
    expect(first.entries.map(({ entry }) => entry.type === 'line' && entry.text)).toEqual([
      'line 0',
      'line 1',
      'line 2',
    ]);
    push(tail, 'more');
    expect(take(tail, first.mark).entries).toMatchObject([{ entry: { text: 'more' } }]);
    expect(take(tail, tail.end).entries).toEqual([]);
  });

  it('that fell behind is told how many lines it missed, to the line', () => {
    const { entries, mark } = take(filled(10_000), 100);
    expect(entries[0]).toMatchObject({ entry: { type: 'dropped', count: 9_400 } });
    expect(entries).toHaveLength(501);
    expect(mark).toBe(10_000);
  });

  it('hears of lines that nobody read, also when their number grows after it was told', () => {
    const tail = filled(1);
    tail.pushDropped({ order: 1, at: 5, lines: 40 });
    const first = take(tail, 0);
    expect(first.entries.at(-1)).toMatchObject({ entry: { type: 'dropped', at: 5, count: 40 } });
    tail.pushDropped({ order: 2, at: 6, lines: 2 });
    expect(take(tail, first.mark).entries).toMatchObject([{ entry: { type: 'dropped', count: 2 } }]);
  });

  it('never gets a secret', () => {
    const tail = new LogTail();
    push(tail, 'run --api-key \u001b[1msk-abcdefgh12345\u001b[0m with swordfish');
    const { entries } = takeEntries(tail, {
      source: 'proxy',
      mark: 0,
      secrets: ['swordfish'],
      inFull: false,
    });
    expect(JSON.stringify(entries)).not.toMatch(/abcdefgh|swordfish/);
  });
});
