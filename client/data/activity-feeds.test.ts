import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { activityFeed, EMPTY_FEED, setFeedHistory } from './activity-feeds.ts';
import type { Cell } from './cell.ts';
import type { ActivityFeed, ActivityFilter } from './types.ts';

/** A history that notes which filters are watched. */
function fakeHistory() {
  const open = new Map<ActivityFilter, Cell<ActivityFeed>>();
  return {
    open,
    watch: (filter: ActivityFilter, cell: Cell<ActivityFeed>) => {
      open.set(filter, cell);
      return () => void open.delete(filter);
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.runAllTimers();
  setFeedHistory(null);
  vi.useRealTimers();
});

test('equal filters share one feed, which outlives a double mount and then ends', () => {
  const history = fakeHistory();
  setFeedHistory(history);
  const feed = activityFeed({ hostIds: ['marlin'], day: null });
  expect(activityFeed({ hostIds: ['marlin'] })).toBe(feed);
  const first = feed.subscribe(() => undefined);
  first();
  const second = feed.subscribe(() => undefined);
  vi.advanceTimersByTime(60_000);
  expect(history.open.size).toBe(1);
  second();
  expect(history.open.size).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(history.open.size).toBe(0);
});

test('a feed that is watched before the copy is open begins when it is, and anew with another copy', () => {
  const feed = activityFeed({ q: 'early' });
  let wakes = 0;
  const stop = feed.subscribe(() => {
    wakes += 1;
  });
  const first = fakeHistory();
  setFeedHistory(first);
  for (const cell of first.open.values()) cell.set({ ...EMPTY_FEED, count: 1 });
  expect(feed.get().count).toBe(1);
  const second = fakeHistory();
  setFeedHistory(second);
  expect([first.open.size, second.open.size]).toEqual([0, 1]);
  expect(feed.get()).toBe(EMPTY_FEED);
  expect(wakes).toBe(2);
  stop();
});
