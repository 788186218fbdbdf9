import { describe, expect, it, test } from 'vitest';
import type { LogLine, LogView } from '../../data/logs/log-board.ts';
import { lineSpans } from './line-spans.ts';
import { countLevels, droppedWords, filterLines, linesAsText, statusWords, streamsOf } from './log-view.ts';
import { parseLogsSearch } from './logs-search.ts';
import { newerLines } from './use-held-lines.ts';

let key = 0;
function line(plain: string, changes: Partial<LogLine> = {}): LogLine {
  key += 1;
  return { key, source: 'upstream', at: 1000, text: plain, plain, level: null, dropped: null, ...changes };
}

const LINES = [
  line('a', { source: 'proxy', level: 'warn' }),
  line('b', { level: 'error' }),
  line('', { dropped: 1204 }),
  line('c'),
  line('d', { source: 'http', at: null }),
];

describe('what is shown', () => {
  it('is a stream, or what is grave; where lines are missing stays', () => {
    const plain = (search: Parameters<typeof filterLines>[1]) =>
      filterLines(LINES, search).map((l) => l.plain);
    expect(plain({})).toEqual(['a', 'b', '', 'c', 'd']);
    expect(plain({ source: 'proxy' })).toEqual(['a']);
    expect(plain({ level: 'warn' })).toEqual(['a', 'b', '']);
    expect(plain({ level: 'error' })).toEqual(['b', '']);
    expect(countLevels(LINES, null)).toEqual({ errors: 1, warnings: 1 });
    expect(countLevels(LINES, 'proxy')).toEqual({ errors: 0, warnings: 1 });
    expect(streamsOf(LINES)).toEqual(['proxy', 'upstream', 'http']);
  });

  it('says how much is missing, and copies as text', () => {
    expect(droppedWords(line('', { dropped: 1204 }))).toBe('1,204 lines dropped by the collector');
    expect(droppedWords(line('', { dropped: 'unknown' }))).toContain('may be missing');
    expect(linesAsText([line('x', { at: null }), line('', { dropped: 2 })])).toMatch(
      /^–\tupstream\tx\n.*\tupstream\t\[2 lines dropped by the collector\]\n$/,
    );
  });

  it('stands still while it is read, and counts what came since', () => {
    expect(newerLines(LINES.slice(0, 3), LINES)).toBe(2);
    expect(newerLines(LINES, LINES)).toBe(0);
  });
});

describe('the state of a log', () => {
  const view = (changes: Partial<LogView>): LogView => ({
    lines: [line('x', { at: 10_000 })],
    state: 'live',
    detail: null,
    asOf: 20_000,
    ...changes,
  });
  const words = (changes: Partial<LogView>, now = 30_000) =>
    statusWords(view(changes), { host: 'marlin', now, connection: 'live' });

  it('is silent after a minute, never live on stale ground', () => {
    expect(words({})).toBeNull();
    expect(words({}, 80_000)?.words).toMatch(/^Silent since \d\d:\d\d/);
    expect(words({ lines: [line('x', { at: null })] })?.words).toBe('Silent since this was opened.');
    expect(words({ lines: [] })?.words).toBe('Nothing was written yet.');
    expect(words({ state: 'not-connected' })).toMatchObject({ isStale: true });
    expect(words({ state: 'failed', detail: '401' })?.words).toContain('401');
  });

  it('without the collector is what was opened before, with its time', () => {
    const offline = (asOf: number | null) =>
      statusWords(view({ asOf }), { host: 'marlin', now: 30_000, connection: 'offline' });
    expect(offline(20_000)).toMatchObject({
      isStale: true,
      words: expect.stringMatching(/^As of \d\d:\d\d/),
    });
    expect(offline(null)?.words).toContain('needs the collector');
  });
});

describe('a line', () => {
  it('keeps the colours of a terminal as names, cut where it matches', () => {
    const spans = lineSpans('\u001b[1;31mCUDA error:\u001b[0m out of memory', [[5, 15]]);
    expect(spans.map(({ text, colour, bold, isMatch }) => [text, colour, bold, isMatch])).toEqual([
      ['CUDA ', 'red', true, false],
      ['error:', 'red', true, true],
      [' out', null, false, true],
      [' of memory', null, false, false],
    ]);
  });

  it('is the same text with and without colours', () => {
    const text = '\u001b[38;5;208mx\u001b[0m<b>&amp;\u001b[91my';
    expect(
      lineSpans(text)
        .map((span) => span.text)
        .join(''),
    ).toBe('x<b>&amp;y');
    expect(lineSpans('')).toEqual([]);
  });
});

test('the address keeps what it knows and nothing else', () => {
  expect(parseLogsSearch({ host: 'a', source: 'proxy', level: 'error', q: 12, wrap: true, x: 1 })).toEqual({
    host: 'a',
    source: 'proxy',
    level: 'error',
    q: '12',
    wrap: true,
  });
  expect(parseLogsSearch({ model: 'm', source: 'proxy', level: 'loud', wrap: 'no' })).toEqual({ model: 'm' });
});
