import type { Cell, Readable } from './cell.ts';
import { createCell } from './cell.ts';
import type { HistoryClient } from './history-client.ts';
import { NO_TALLY } from './history/no-tally.ts';
import type { ActivityFeed, ActivityFilter } from './types.ts';

/** A feed before anything is decoded. */
export const EMPTY_FEED: ActivityFeed = {
  state: 'loading',
  count: 0,
  rowAt: () => undefined,
  counts: { failed: 0, gaps: 0, total: 0 },
  tally: NO_TALLY,
  version: 0,
  from: null,
  missing: { days: [] },
};

/** A feed outlives its last watcher a little: pages change and StrictMode mounts twice. */
const LINGER_MS = 5_000;

interface SharedFeed extends Readable<ActivityFeed> {
  readonly cell: Cell<ActivityFeed>;
  readonly filter: ActivityFilter;
  watchers: number;
  end: (() => void) | null;
  lingering: ReturnType<typeof setTimeout> | null;
}

const feeds = new Map<string, SharedFeed>();
let history: Pick<HistoryClient, 'watch'> | null = null;

/** The feed of a filter; equal filters share one. It runs while it is watched. */
export function activityFeed(filter: ActivityFilter): Readable<ActivityFeed> {
  const normalised = { ...filter, day: filter.day ?? undefined };
  const key = JSON.stringify(normalised);
  const known = feeds.get(key);
  if (known) return known;
  const feed = shareFeed(key, normalised);
  feeds.set(key, feed);
  return feed;
}

/** Gives the feeds their worker, or takes it away; feeds that are watched begin anew. */
export function setFeedHistory(next: Pick<HistoryClient, 'watch'> | null): void {
  history = next;
  for (const feed of feeds.values()) {
    feed.end?.();
    feed.end = null;
    feed.cell.set(EMPTY_FEED);
    if (feed.watchers > 0) begin(feed);
  }
}

function shareFeed(key: string, filter: ActivityFilter): SharedFeed {
  const cell = createCell(EMPTY_FEED);
  const feed: SharedFeed = {
    cell,
    filter,
    watchers: 0,
    end: null,
    lingering: null,
    get: cell.get,
    subscribe: (listener) => {
      const unsubscribe = cell.subscribe(listener);
      feed.watchers += 1;
      if (feed.lingering !== null) clearTimeout(feed.lingering);
      feed.lingering = null;
      begin(feed);
      return () => {
        unsubscribe();
        feed.watchers -= 1;
        if (feed.watchers === 0) feed.lingering = setTimeout(() => finish(key, feed), LINGER_MS);
      };
    },
  };
  return feed;
}

function begin(feed: SharedFeed): void {
  if (feed.end === null && history !== null) feed.end = history.watch(feed.filter, feed.cell);
}

function finish(key: string, feed: SharedFeed): void {
  if (feed.watchers > 0) return;
  feed.end?.();
  feed.end = null;
  // A component that still holds this feed must find it again if it watches later: only an unwatched, ended one goes.
  feeds.delete(key);
  feed.cell.set(EMPTY_FEED);
}
