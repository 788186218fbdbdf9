import type { ActivityRow } from '#shared/schemas/activity.ts';
import { useActivity } from './use-activity.ts';
import type { ActivityFeed } from './types.ts';

/** When models were used last, as far as the activity on this device says. */
export interface LastUses {
  /** End of the newest known request of a model under one of its names; null: none is known. */
  readonly endOf: (hostId: string, names: readonly string[]) => number | null;
  /** Since when no request of a host can have been missed. */
  readonly wholeSince: (hostId: string) => number;
}

/** Rows that are looked through at the first look; later ones only look at what is new. */
const MAX_ROWS = 3_000;

interface Seen {
  readonly top: ActivityRow | undefined;
  readonly count: number;
  readonly ends: Map<string, number>;
  /** Newest gap of each host: requests are missing before its end. */
  readonly gaps: Map<string, number>;
  readonly from: number;
}

let seen: Seen | null = null;
let last: { readonly feed: ActivityFeed; readonly uses: LastUses } | null = null;

/** See {@link LastUses}; follows the feed that the fleet page has open. Null while it is being read. */
export function useLastUses(): LastUses | null {
  return lastUses(useActivity({}));
}

/** The last uses that a feed tells, counted on from the feed before. */
export function lastUses(feed: ActivityFeed): LastUses | null {
  if (last?.feed === feed) return last.uses;
  if (feed.state !== 'ready') return null;
  const now = lookThrough(feed, seen);
  seen = now;
  const uses: LastUses = {
    endOf(hostId, names) {
      const ends = names.flatMap((name) => now.ends.get(keyOf(hostId, name)) ?? []);
      return ends.length === 0 ? null : Math.max(...ends);
    },
    wholeSince: (hostId) => Math.max(now.from, now.gaps.get(hostId) ?? 0),
  };
  last = { feed, uses };
  return uses;
}

/** Rows above those seen before; all of them again where others came in between. */
function lookThrough(feed: ActivityFeed, before: Seen | null): Seen {
  const top = feed.rowAt(0);
  const added = before === null ? -1 : indexOf(feed, before.top);
  const isGrown = before !== null && added >= 0 && feed.count - before.count === added;
  const ends = isGrown ? new Map(before.ends) : new Map<string, number>();
  const gaps = isGrown ? new Map(before.gaps) : new Map<string, number>();
  const until = isGrown ? added : Math.min(feed.count, MAX_ROWS);
  for (let index = 0; index < until; index += 1) {
    const row = feed.rowAt(index);
    if (row === undefined) continue;
    const [map, key] = row.type === 'gap' ? [gaps, row.hostId] : [ends, keyOf(row.hostId, row.modelId)];
    map.set(key, Math.max(map.get(key) ?? 0, row.endedAt));
  }
  if (isGrown) return { ...before, top, count: feed.count, ends, gaps };
  const oldest = feed.rowAt(until - 1)?.endedAt ?? Number.POSITIVE_INFINITY;
  const from = until < feed.count ? oldest : (feed.from ?? oldest);
  return { top, count: feed.count, ends, gaps, from };
}

function indexOf(feed: ActivityFeed, row: ActivityRow | undefined): number {
  for (let index = 0; index < Math.min(feed.count, MAX_ROWS); index += 1) {
    if (feed.rowAt(index) === row) return index;
  }
  return -1;
}

function keyOf(hostId: string, modelId: string): string {
  return `${hostId}\n${modelId}`;
}
