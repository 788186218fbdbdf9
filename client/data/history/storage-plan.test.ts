import { describe, expect, test } from 'vitest';
import type { SegmentEntry } from '#shared/schemas/segment.ts';
import type { HeldSegment } from './storage-plan.ts';
import { planStorage as plan } from './storage-plan.ts';
import type { StorageFacts } from './storage-plan.ts';

const DAY = 86_400_000;
const NOW = 100 * DAY;
const BUDGET_BYTES = 50_000_000;

const planStorage = (facts: Omit<StorageFacts, 'budgetBytes'> & Partial<StorageFacts>) =>
  plan({ budgetBytes: BUDGET_BYTES, ...facts });

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

test('a small day is not kept where a newer one had no room', () => {
  const large = entry('l', NOW - 3 * DAY, NOW - 2 * DAY, BUDGET_BYTES);
  const small = entry('s', NOW - 4 * DAY, NOW - 3 * DAY, 10);
  const newest = entry('n', NOW - DAY / 2, NOW, 1000);
  const plan = planStorage({
    listed: [newest, large, small],
    held: [newest, large, small].map((of) => held(of)),
    now: NOW,
  });
  expect([...plan.drop].sort()).toEqual([large.hash, small.hash].sort());
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

describe('what a person wished', () => {
  const day = (back: number): { from: number; to: number } => ({
    from: NOW - back * DAY,
    to: NOW - (back - 1) * DAY,
  });
  const of = (back: number, bytes = 1000): SegmentEntry =>
    entry(`d${back}`, day(back).from, day(back).to - 1, bytes);

  test('a pinned day is fetched and kept past the window and past the budget', () => {
    const old = of(60, 900);
    const listed = [of(2, 600), of(3, 600), old];
    const facts = { listed, now: NOW, budgetBytes: 1000, pinned: [day(60)] };
    expect(keys(planStorage({ ...facts, held: [] }).background)).toEqual(['d60']);
    const plan = planStorage({ ...facts, held: [held(old), held(of(2, 600))] });
    expect(plan.drop).toEqual([of(2).hash]);
    // Unpinned it is only old again.
    expect(planStorage({ ...facts, pinned: [], held: [held(old)] }).drop).toEqual([old.hash]);
  });

  test('pinned days that are more than the budget stay, and nothing else is kept', () => {
    const pinned = [day(40), day(41)];
    const kept = [of(40, 900), of(41, 900)];
    const plan = planStorage({
      listed: [of(2, 100), ...kept],
      held: [of(2, 100), ...kept].map((one) => held(one)),
      now: NOW,
      budgetBytes: 1000,
      pinned,
    });
    expect(plan.drop).toEqual([of(2).hash]);
  });

  test('a smaller budget drops the oldest that are not pinned, and no more than it must', () => {
    const days = [1, 2, 3, 4, 5].map((back) => of(back, 100));
    const facts = { listed: days, held: days.map((one) => held(one)), now: NOW, pinned: [day(5)] };
    expect(planStorage({ ...facts, budgetBytes: 500 }).drop).toEqual([]);
    expect(planStorage({ ...facts, budgetBytes: 350 }).drop).toEqual([of(3).hash, of(4).hash]);
  });

  test('a day that was taken off is not fetched again, but for the last 24 h and what is pinned', () => {
    const listed = [of(1), of(2), of(3)];
    const skipped = [day(1), day(2), day(3)];
    const plan = planStorage({
      listed,
      held: listed.map((one) => held(one)),
      now: NOW,
      skipped,
      pinned: [day(3)],
    });
    expect(plan.drop).toEqual([of(2).hash]);
    const fetched = planStorage({ listed, held: [], now: NOW, skipped, pinned: [day(3)] });
    expect(keys([...fetched.eager, ...fetched.background])).toEqual(['d1', 'd3']);
  });

  test('a sealed day that reaches over midnight goes with the day it mostly lies in', () => {
    const over = entry('over', NOW - 3 * DAY + 2 * 3_600_000, NOW - 2 * DAY + 2 * 3_600_000);
    const facts = { listed: [over], held: [held(over)], now: NOW };
    expect(planStorage({ ...facts, skipped: [day(3)] }).drop).toEqual([over.hash]);
    expect(planStorage({ ...facts, skipped: [day(2)] }).drop).toEqual([]);
    // Pinning either keeps all of it.
    expect(planStorage({ ...facts, skipped: [day(3)], pinned: [day(2)] }).drop).toEqual([]);
  });

  test('a day that was looked at goes when it was taken off', () => {
    const looked = of(40);
    const facts = { listed: [looked], held: [held(looked, NOW)], now: NOW };
    expect(planStorage(facts).drop).toEqual([]);
    expect(planStorage({ ...facts, skipped: [day(40)] }).drop).toEqual([looked.hash]);
  });
});
