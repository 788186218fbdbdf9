import type { Readable } from './cell.ts';
import { createCell } from './cell.ts';
import type { ActivityFeed, ActivityFilter } from './types.ts';

/** A feed before anything is decoded. */
export const EMPTY_FEED: ActivityFeed = {
  state: 'loading',
  count: 0,
  rowAt: () => undefined,
  counts: { failed: 0, gaps: 0, total: 0 },
  version: 0,
  from: null,
  missing: { days: [] },
};

const feeds = new Map<string, Readable<ActivityFeed>>();

/** The feed of a filter; equal filters share one. */
export function activityFeed(filter: ActivityFilter): Readable<ActivityFeed> {
  const key = JSON.stringify(filter);
  const known = feeds.get(key);
  if (known) return known;
  const cell = createCell(EMPTY_FEED);
  feeds.set(key, cell);
  return cell;
}
