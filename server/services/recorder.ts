import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { InFlight } from '#shared/schemas/in-flight.ts';
import type { Model, ModelEvent } from '#shared/schemas/model.ts';
import type { Clock, FleetSink, HostStatus, Log } from '../domain/ports.ts';
import { StoreError } from '../domain/store-error.ts';
import type { Store } from '../domain/store-ports.ts';
import type { DocHost } from './doc-host.ts';
import type { FleetCache } from './fleet-cache.ts';
import { PendingFacts } from './pending-facts.ts';
import { recordFacts } from './record-facts.ts';

/** Where what is never stored goes. */
export interface LiveTopics {
  inFlight(hostId: string, inFlight: InFlight | null): void;
  seen(hostId: string, at: number): void;
}

/** What a recorder is made of. */
export interface RecorderOptions {
  readonly docHost: DocHost;
  readonly store: Store;
  readonly cache: FleetCache;
  readonly live: LiveTopics;
  readonly clock: Clock;
  readonly log: Log;
  /** Called after each commit, with the tail's growth in mind: the sealer looks whether it is time. */
  readonly onCommitted?: () => void;
}

/** At most one commit in this time. */
const FLUSH_MS = 100;
/** Rows that may wait while another process holds the database; more are dropped and fetched again. */
const MAX_PENDING_ROWS = 50_000;
/** How often `lastSeenAt` is saved, so that it survives a crash; it goes out live meanwhile. */
const SAVE_SEEN_MS = 60_000;

/**
 * Takes what connectors learn and commits it: at once when idle, then at most every 100 ms. Nothing is shown before
 * its commit. When the store fails, rows that wait or come are dropped and connectors are told to fetch them again once
 * it works; model events and the latest status and models of each host are kept and written then.
 */
export class Recorder implements FleetSink {
  readonly #options: RecorderOptions;
  readonly #pending = new PendingFacts();
  /** The last status and models given, committed or not. */
  readonly #latestStatus = new Map<string, HostStatus>();
  readonly #latestModels = new Map<string, readonly Model[]>();
  readonly #resyncListeners = new Set<() => void>();
  readonly #savedSeenAt = new Map<string, number>();
  #stops: (() => void)[] = [];
  #cancelFlush: (() => void) | null = null;
  #lastFlushAt = Number.NEGATIVE_INFINITY;
  #malformedRows = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Reads the fleet and begins to save. Call after the document host has started. */
  start(): void {
    const { cache, store, docHost, clock } = this.#options;
    cache.load(store);
    this.#stops = [
      docHost.onDropped(() => this.#pending.clearActivity()),
      docHost.onRecovered(() => this.#recover()),
      clock.every(SAVE_SEEN_MS, () => this.#saveSeen()),
    ];
  }

  /** Commits what waits and ends. */
  stop(): void {
    for (const stop of this.#stops) stop();
    this.flushRows();
    this.flush();
    this.#cancelFlush?.();
    this.#cancelFlush = null;
  }

  hostStatus(hostId: string, status: HostStatus): void {
    this.#latestStatus.set(hostId, status);
    this.#pending.status(hostId, status);
    this.#schedule();
  }

  models(hostId: string, models: readonly Model[]): void {
    this.#latestModels.set(hostId, models);
    this.#pending.models(hostId, models);
    this.#schedule();
  }

  activity(_hostId: string, rows: readonly ActivityRow[]): void {
    // Older rows were dropped when the store failed: kept, these would be committed before them, and hide the loss.
    if (this.#options.docHost.unavailable()) return;
    const sound = rows.filter(isSound);
    this.#malformedRows += rows.length - sound.length;
    this.#pending.activity(sound);
    this.#schedule();
  }

  modelEvents(_hostId: string, events: readonly ModelEvent[]): void {
    this.#pending.events(events.filter((event) => Number.isSafeInteger(event.at)));
    this.#schedule();
  }

  inFlight(hostId: string, inFlight: InFlight | null): void {
    this.#options.live.inFlight(hostId, inFlight);
  }

  // Nothing of these is kept: whoever acts asks the watch.
  profile(): void {}
  activityListed(): void {}

  seen(hostId: string, at: number): void {
    this.#options.cache.seen(hostId, at);
    this.#options.live.seen(hostId, at);
  }

  /** Called when rows were lost on the way to the disk, after it works again: connectors fetch them anew. */
  onResync(listener: () => void): () => void {
    this.#resyncListeners.add(listener);
    return () => this.#resyncListeners.delete(listener);
  }

  /** Drops what waits of a host that was removed. */
  forget(hostId: string): void {
    this.#pending.forget(hostId);
    this.#latestStatus.delete(hostId);
    this.#latestModels.delete(hostId);
    this.#savedSeenAt.delete(hostId);
  }

  /** Rows refused because a time or an id was no whole number. */
  get malformedRows(): number {
    return this.#malformedRows;
  }

  /** Commits what waits, now, as far as one commit goes. */
  flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = null;
    if (this.#pending.empty || this.#options.docHost.unavailable()) return;
    const { docHost, store, cache, clock, log } = this.#options;
    const batch = this.#pending.batch();
    const now = clock.now();
    this.#lastFlushAt = now;
    try {
      const changed = docHost.commit((documents) => recordFacts(batch, documents, { store, cache, now }));
      this.#pending.settle(batch);
      for (const host of changed) cache.put(host);
    } catch (error) {
      if (!(error instanceof StoreError)) log.error({ error: String(error) }, 'facts could not be recorded');
      this.#keepOrDrop(error);
      return;
    }
    this.#options.onCommitted?.();
    if (!this.#pending.empty) this.#schedule();
  }

  /** Commits all rows that wait, in as many commits as it takes. */
  flushRows(): void {
    let before = Number.POSITIVE_INFINITY;
    while (this.#pending.rowCount > 0 && this.#pending.rowCount < before) {
      before = this.#pending.rowCount;
      this.flush();
    }
  }

  #schedule(): void {
    if (this.#cancelFlush || this.#options.docHost.unavailable()) return;
    const { clock } = this.#options;
    const wait = this.#lastFlushAt + FLUSH_MS - clock.now();
    // A clock set back must not keep rows waiting.
    this.#cancelFlush = clock.after(Math.min(FLUSH_MS, Math.max(0, wait)), () => this.flush());
  }

  #keepOrDrop(error: unknown): void {
    const { log } = this.#options;
    if (error instanceof StoreError && error.failure === 'busy') {
      if (this.#pending.rowCount > MAX_PENDING_ROWS) {
        log.warn(
          { rows: this.#pending.rowCount },
          'the database stays busy: rows are dropped and fetched again',
        );
        this.#pending.clearActivity();
        this.#tellResync();
      }
      this.#schedule();
      return;
    }
    this.#pending.clearActivity();
    // A fault of ours may lie in an event; it must not come back for ever.
    if (!(error instanceof StoreError) || error.failure === 'other') this.#pending.clearEvents();
  }

  #recover(): void {
    this.#options.cache.load(this.#options.store);
    for (const [hostId, status] of this.#latestStatus) this.#pending.status(hostId, status);
    for (const [hostId, models] of this.#latestModels) this.#pending.models(hostId, models);
    this.#schedule();
    this.#tellResync();
  }

  #tellResync(): void {
    for (const listener of this.#resyncListeners) listener();
  }

  #saveSeen(): void {
    const { cache } = this.#options;
    for (const { config, status } of cache.all()) {
      const lastSeenAt = cache.lastSeenAt(config.id);
      if (!status || lastSeenAt === null || this.#savedSeenAt.get(config.id) === lastSeenAt) continue;
      this.#savedSeenAt.set(config.id, lastSeenAt);
      this.#pending.status(config.id, { ...(this.#latestStatus.get(config.id) ?? status), lastSeenAt });
    }
    if (!this.#pending.empty) this.#schedule();
  }
}

function isSound(row: ActivityRow): boolean {
  if (!Number.isSafeInteger(row.endedAt) || !Number.isSafeInteger(row.idEpoch)) return false;
  if (row.type === 'gap') return true;
  const counts = [row.status, row.inputTokens, row.outputTokens, row.cachedTokens, row.durationMs];
  return (
    Number.isSafeInteger(row.id) && counts.every((count) => count === null || Number.isSafeInteger(count))
  );
}
