import type { ActivityGap } from '#shared/schemas/activity.ts';
import type { IdRange } from './id-ranges.ts';
import type { ObservedActivity } from './ports.ts';

/** What is held of a host's activity, as far as the next rows are judged by it. */
export interface ActivitySync {
  readonly idEpoch: number;
  /** Highest id held; null when this epoch has none. */
  readonly lastId: number | null;
  readonly lastEndedAt: number | null;
  /** Where the ids of an epoch without rows begin, once a listing was seen to be empty; null when not known. */
  readonly startsAt: number | null;
  /** Newest rows held, ascending by id. */
  readonly recent: readonly ObservedActivity[];
  /** Ids passed over on the stream, not yet known to be late or lost; ascending. */
  readonly missing: readonly IdRange[];
  /** A gap found with no row after it yet: it is written with the next row, so that a crash cannot write it twice. */
  readonly pendingGap: Omit<ActivityGap, 'to' | 'endedAt'> | null;
}

/** Where rows come from, and when they were looked at. */
export interface ObservationContext {
  readonly hostId: string;
  readonly now: number;
}

/** A listing of the host: every row it has with an id above `afterId` (null: all), unless `complete` is false. */
export interface ActivityListing {
  readonly rows: readonly ObservedActivity[];
  readonly complete: boolean;
  readonly afterId: number | null;
  /** The id the host gives its first row: 0 up to v235, 1 from v236. */
  readonly firstId: number;
  /** The host may have run unseen since the last row held: a restart may then have taken rows with it. */
  readonly unwatched: boolean;
}

/** The id after which the next one follows; null when it may be any. */
export function tailOf(sync: ActivitySync): number | null {
  return sync.lastId ?? (sync.startsAt === null ? null : sync.startsAt - 1);
}

/** Rows in order of id, each id once. */
export function ascendingById(rows: readonly ObservedActivity[]): readonly ObservedActivity[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}
