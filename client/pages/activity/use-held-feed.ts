import { useState } from 'react';
import type { ActivityFeed } from '../../data/types.ts';
import { rowKey } from './row-view.ts';

/** Past this many, a number says no more. */
const COUNT_LIMIT = 1000;

/** The feed on screen, and how many rows wait above it. */
export interface HeldFeed {
  readonly shown: ActivityFeed;
  readonly waiting: number;
  readonly isHeld: boolean;
  /** Keep what is on screen: the reader has scrolled away from the newest row. */
  readonly hold: () => void;
  /** Show what came since. */
  readonly release: () => void;
}

/** Holds the feed still while it is read: new rows wait, nothing moves under the finger. */
export function useHeldFeed(feed: ActivityFeed, filterKey: string): HeldFeed {
  const [state, setState] = useState<{ readonly filterKey: string; readonly feed: ActivityFeed } | null>(
    null,
  );
  // Another filter is another list: nothing of the old one is held.
  const held = state?.filterKey === filterKey ? state.feed : null;
  const shown = held ?? feed;
  return {
    shown,
    waiting: held === null ? 0 : newRows(held, feed),
    isHeld: held !== null,
    hold: () => {
      if (held === null) setState({ filterKey, feed });
    },
    release: () => setState(null),
  };
}

/** How many rows of `feed` stand above the newest row of `held`. */
export function newRows(held: ActivityFeed, feed: ActivityFeed): number {
  if (held.version === feed.version) return 0;
  const top = held.rowAt(0);
  if (top === undefined) return feed.count;
  const key = rowKey(top);
  for (let index = 0; index < Math.min(feed.count, COUNT_LIMIT); index += 1) {
    const row = feed.rowAt(index);
    if (row !== undefined && rowKey(row) === key) return index;
  }
  return Math.min(feed.count, COUNT_LIMIT);
}
