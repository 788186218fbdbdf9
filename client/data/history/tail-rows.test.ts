import { expect, test } from 'vitest';
import type { ActivityRow } from '#shared/schemas/activity.ts';
import { request } from '../testing/activity.ts';
import { rowKey } from './row-key.ts';
import { TailRows } from './tail-rows.ts';

const [one, two, three] = [
  request({ id: 1, endedAt: 1 }),
  request({ id: 2, endedAt: 2 }),
  request({ id: 3, endedAt: 3 }),
];

const ACTIVITY = { keyOf: rowKey, timeOf: ({ endedAt }: ActivityRow) => endedAt };

test('a trimmed row stays until a segment covers it, and is never new again', () => {
  const tail = new TailRows(ACTIVITY);
  expect(tail.take([one, two], true, 100)).toEqual([one, two]);
  expect(tail.take([two, three], true, 100)).toEqual([three]);
  expect(tail.rows()).toEqual([two, three, one]);
  expect(tail.heldSpan()).toEqual({ from: 1, to: 1 });
  expect(tail.take([one], false, 100)).toEqual([]);
  tail.take([two, three], true, 100);
  tail.cover([rowKey(one), rowKey(two)]);
  expect(tail.heldCount).toBe(0);
  expect(tail.rows()).toEqual([two, three]);
});

test('held rows past every window are given up', () => {
  const tail = new TailRows(ACTIVITY);
  tail.take([one, three], true, 100);
  tail.take([], true, 100);
  tail.expire(2);
  expect(tail.rows()).toEqual([three]);
});

test('held rows that no segment will bring are let go; those of the tail stay', () => {
  const tail = new TailRows(ACTIVITY);
  tail.take([one, two], true, 100);
  tail.take([two], true, 200);
  expect(tail.letGo((_row, trimmedAt) => trimmedAt < 200)).toBe(false);
  expect(tail.letGo((row) => row.endedAt <= 2)).toBe(true);
  expect(tail.rows()).toEqual([two]);
});
