import { expect, test } from 'vitest';
import { dayBounds, daysBetween, localDay } from './local-day.ts';

test('a day begins and ends at the device’s midnights', () => {
  const bounds = dayBounds('2026-11-30');
  expect(bounds && [localDay(bounds.from), localDay(bounds.to - 1), localDay(bounds.to)]).toEqual([
    '2026-11-30',
    '2026-11-30',
    '2026-12-01',
  ]);
});

test('what is no day has no bounds', () => {
  expect(['2026-02-30', '2026-13-01', 'today', '2026-1-1'].map(dayBounds)).toEqual([null, null, null, null]);
});

test('days between two times, newest first, bounded', () => {
  const from = new Date(2026, 10, 28, 23, 30).getTime();
  const to = new Date(2026, 10, 30, 0, 30).getTime();
  expect(daysBetween(from, to, 10)).toEqual(['2026-11-30', '2026-11-29', '2026-11-28']);
  expect(daysBetween(0, to, 3)).toHaveLength(3);
});
