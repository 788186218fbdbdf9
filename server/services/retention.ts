import { fleetKey } from '#sync/fleet-record.ts';
import { HISTORY_KINDS, rowsOfKind } from '../domain/history-kinds.ts';
import type { Clock } from '../domain/ports.ts';
import { hourOf, MANIFEST_MAX_ENTRIES } from '../domain/segment-policy.ts';
import type { HistoryKind, Store, StoredSegment } from '../domain/store-ports.ts';
import type { DocHost } from './doc-host.ts';

/** What retention is made of. */
export interface RetentionOptions {
  readonly docHost: DocHost;
  readonly store: Store;
  readonly clock: Clock;
  /** How long rows and their segments are kept, by the time they were received. */
  readonly days: Readonly<Record<HistoryKind, number>>;
  /** Segments the manifest lists at most; rows of older ones stay in SQLite. */
  readonly maxSegments?: number;
}

const DAY_MS = 86_400_000;
const DAY_HOURS = 24;
/** Bytes of a replaced segment stay this long for those who are about to fetch it. */
const RETIRED_MS = 3_600_000;
/** Rows deleted in one commit: some 10 ms. */
const DELETE_ROWS = 1000;

/** Drops history past its age, little by little. Each step is one commit; doing it twice deletes nothing more. */
export class Retention {
  readonly #options: RetentionOptions;
  #prunedHour: number | null = null;
  #pruneAfterId = 0;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Does one step that is due; false when none is. */
  step(): boolean {
    return this.#dropSegment() || this.#deleteRows() || this.#prune();
  }

  #dropSegment(): boolean {
    const { store, clock } = this.#options;
    const hour = hourOf(clock.now());
    for (const kind of HISTORY_KINDS) {
      const cutoff = hour - this.#options.days[kind] * DAY_HOURS;
      const old = store.segments.list(kind).find(({ lastHour }) => lastHour < cutoff);
      if (old) {
        this.#drop(old, (segmentId) => store.segments.expire(segmentId));
        return true;
      }
    }
    const listed = store.segments.list();
    const most = this.#options.maxSegments ?? MANIFEST_MAX_ENTRIES;
    const oldest = listed.length > most ? listed[0] : undefined;
    if (oldest) this.#drop(oldest, (segmentId) => store.segments.unlist(segmentId));
    return oldest !== undefined;
  }

  #drop({ id, entry }: StoredSegment, place: (segmentId: number) => void): void {
    const { docHost, store, clock } = this.#options;
    docHost.commit(({ fleet }) => {
      place(id);
      store.segments.retire(id, clock.now());
      fleet.delete(fleetKey.segment(entry.kind, entry.key));
    });
  }

  #deleteRows(): boolean {
    const { docHost, store, clock, days } = this.#options;
    const hour = hourOf(clock.now());
    for (const kind of HISTORY_KINDS) {
      const [range] = store.segments.expiredRanges(kind);
      if (!range) continue;
      docHost.commit(() => {
        if (rowsOfKind(store, kind).deleteSome(range, DELETE_ROWS) === 0)
          store.segments.dropExpired(kind, range);
      });
      return true;
    }
    return HISTORY_KINDS.some((kind) => store.segments.expireUnlisted(kind, hour - days[kind] * DAY_HOURS));
  }

  /** Once an hour: blobs no manifest lists any more, captures of requests that are gone, and facets without rows. */
  #prune(): boolean {
    const { docHost, store, clock, days } = this.#options;
    const now = clock.now();
    const hour = hourOf(now);
    if (this.#prunedHour === hour) return false;
    const afterId = this.#pruneAfterId;
    const next = docHost.commit(() => {
      if (afterId === 0) {
        store.segments.dropRetired(now - RETIRED_MS);
        store.captures.dropOrphans();
      }
      return store.activity.pruneFacets(afterId, now - days.activity * DAY_MS);
    });
    this.#pruneAfterId = next ?? 0;
    if (next === null) this.#prunedHour = hour;
    return next !== null;
  }
}
