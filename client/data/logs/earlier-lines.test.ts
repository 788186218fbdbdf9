import { expect, test } from 'vitest';
import type { KeptLogEntry, KeptLogsPage } from '#shared/schemas/log.ts';
import { withoutHoles, withPage } from './earlier-lines.ts';
import { FIRST_KEY, lineOf } from './log-board.ts';

const entry = (at: number | null, text: string): KeptLogEntry => ({
  type: 'line',
  source: 'upstream',
  at,
  text,
});
const page = (entries: readonly KeptLogEntry[], nextCursor: number | null): KeptLogsPage => ({
  entries: [...entries],
  nextCursor,
  keptFrom: 1,
});
const shown = [entry(null, 'before it listened'), entry(5, 'b'), entry(5, 'b'), entry(6, 'c')].map(
  (one, index) => lineOf(one, FIRST_KEY + 1 + index),
);

test('pages come before what is shown, each line once, also where many came in one moment', () => {
  const first = withPage(
    null,
    page([entry(4, 'a'), entry(null, 'before it listened'), entry(5, 'b'), entry(5, 'b'), entry(5, 'b')], 7),
    shown,
  );
  expect(first.lines.map(({ text }) => text)).toEqual(['a', 'b']);
  const both = withPage(first, page([entry(2, 'x'), entry(3, 'y')], null), shown);
  expect(both.lines.map(({ text }) => text)).toEqual(['x', 'y', 'a', 'b']);
  const keys = both.lines.map(({ key }) => key);
  expect(keys).toEqual([...keys].sort((a, b) => a - b));
  expect(keys.at(-1)).toBeLessThan(shown[0]?.key ?? 0);
  expect(both.cursor).toBeNull();
});

test('what a loud source has lost is not passed over: only the end without holes counts as shown', () => {
  const lines = ['proxy', 'proxy', 'upstream', 'proxy', 'upstream'].map((source, index) =>
    lineOf({ type: 'line', source, at: index, text: `${index}` }, FIRST_KEY + index),
  );
  expect(withoutHoles(lines).map(({ text }) => text)).toEqual(['2', '3', '4']);
  expect(withoutHoles([])).toEqual([]);
});
