import type { ActivityFeed } from '../../data/types.ts';
import { formatAgo } from '../../ui/format.ts';

/** A host that served nothing among so many rows served nothing lately. */
const MAX_ROWS = 500;

/** When the newest known request of each host ended. */
export function lastRequestAt(feed: ActivityFeed): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (let index = 0; index < Math.min(feed.count, MAX_ROWS); index += 1) {
    const row = feed.rowAt(index);
    if (row?.type === 'request' && !last.has(row.hostId)) last.set(row.hostId, row.endedAt);
  }
  return last;
}

/** `last request 12 s ago`; null when none is known. */
export function lastRequestWords(at: number | null, now: number): string | null {
  return at === null ? null : `last request ${formatAgo(at, now)}`;
}
