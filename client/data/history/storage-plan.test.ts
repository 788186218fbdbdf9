import { expect, test } from 'vitest';
import type { SegmentEntry } from '#shared/schemas/segment.ts';
import type { HeldSegment } from './storage-plan.ts';
import { BUDGET_BYTES, planStorage } from './storage-plan.ts';

const DAY = 86_400_000;
const NOW = 100 * DAY;

function entry(name: string, from: number, to: number, bytes = 1000): SegmentEntry {
  return { kind: 'activity', key: name, rows: 10, bytes, hash: name.padEnd(64, '0'), from, to };
}

function held(of: SegmentEntry, pinnedAt: number | null = null): HeldSegment {
  const { hash, kind, rows, bytes, from, to } = of;
  return { hash, kind, rows, bytes, from, to, pinnedAt };
}

const keys = (entries: readonly SegmentEntry[]): string[] => entries.map(({ key }) => key);

test('the last 24 hours come first, then 30 days newest first, nothing older', () => {
  const listed = [
    entry('a', NOW - 40 * DAY, NOW - 39 * DAY),
    entry('b', NOW - 3 * DAY, NOW - 2 * DAY),
    entry('c', NOW - 2 * DAY, NOW - 1.5 * DAY),
    entry('d', NOW - DAY, NOW),
  ];
  const plan = planStorage({ listed, held: [], now: NOW });
  expect(keys(plan.eager)).toEqual(['d']);
  expect(keys(plan.background)).toEqual(['c', 'b']);
  expect(plan.drop).toEqual([]);
});

test('past the budget the oldest are neither fetched nor kept', () => {
  const half = BUDGET_BYTES / 2;
  const [newest, middle, oldest] = [
    entry('n', NOW - 2 * DAY, NOW - DAY, half),
    entry('m', NOW - 3 * DAY, NOW - 2 * DAY, half),
    entry('o', NOW - 4 * DAY, NOW - 3 * DAY, half),
  ];
  const plan = planStorage({
    listed: [oldest, middle, newest],
    held: [held(oldest), held(middle)],
    now: NOW,
  });
  expect(keys([...plan.eager, ...plan.background])).toEqual(['n']);
  expect(plan.drop).toEqual([oldest.hash]);
});

test('an hour merged into a day is kept until the day is here', () => {
  const hour = held(entry('h', NOW - DAY, NOW - DAY + 1000));
  const day = entry('day', NOW - DAY, NOW - DAY / 2);
  expect(planStorage({ listed: [day], held: [hour], now: NOW }).drop).toEqual([]);
  expect(planStorage({ listed: [day], held: [hour, held(day)], now: NOW }).drop).toEqual([hour.hash]);
});

test('without a manifest nothing is fetched and nothing is lost', () => {
  const plan = planStorage({ listed: null, held: [held(entry('x', 0, 1))], now: NOW });
  expect(plan).toEqual({ eager: [], background: [], drop: [] });
});

test('a day that was asked for stays past 30 days; of many such days the first asked for goes', () => {
  const third = BUDGET_BYTES / 3;
  const [first, second] = [entry('p', 10 * DAY, 11 * DAY, third), entry('q', 20 * DAY, 21 * DAY, third)];
  const listed = [first, second];
  expect(planStorage({ listed, held: [held(first, 1)], now: NOW }).drop).toEqual([]);
  expect(planStorage({ listed, held: [held(first, 1), held(second, 2)], now: NOW }).drop).toEqual([
    first.hash,
  ]);
});
