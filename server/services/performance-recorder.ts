import type { LivePerformance } from '#shared/schemas/performance.ts';
import { nextLive, type LiveHostPerformance } from '../domain/live-performance.ts';
import type { PerformanceSink } from '../domain/performance-ports.ts';
import type { PerformanceBatch, PerformanceCursor } from '../domain/performance-readings.ts';
import type { Clock, Log } from '../domain/ports.ts';
import { StoreError } from '../domain/store-error.ts';
import type { Store } from '../domain/store-ports.ts';
import type { DocHost } from './doc-host.ts';

/** What a recorder of samples is made of. */
export interface PerformanceRecorderOptions {
  readonly docHost: Pick<DocHost, 'commit' | 'unavailable' | 'onDropped'>;
  readonly store: Pick<Store, 'performance'>;
  /** Whether a host is configured: what comes of one that was removed meanwhile is of no use. */
  readonly hosts: {
    readonly get: (hostId: string) => unknown;
    readonly all: () => readonly { readonly config: { readonly id: string } }[];
  };
  readonly live: { performance(hostId: string, value: LivePerformance): void };
  readonly clock: Clock;
  readonly log: Log;
}

/** At most one commit in this time: the hosts of a fleet are polled one after the other. */
const FLUSH_MS = 1_000;
/** Batches that may wait while another process holds the database. */
const MAX_PENDING = 2_000;

/**
 * Takes samples that connectors polled and commits them, all hosts together, once a second; shows the newest live. What a
 * failing store loses is asked of the hosts again: they keep an hour.
 */
export class PerformanceRecorder implements PerformanceSink {
  readonly #options: PerformanceRecorderOptions;
  readonly #live = new Map<string, LiveHostPerformance>();
  #pending: { readonly hostId: string; readonly batch: PerformanceBatch }[] = [];
  #cancelFlush: (() => void) | null = null;
  #stops: (() => void)[] = [];

  constructor(options: PerformanceRecorderOptions) {
    this.#options = options;
  }

  /** Shows what was last known of every host. Call after the fleet was read. */
  start(): void {
    const { docHost, hosts, store, clock } = this.#options;
    this.#stops = [docHost.onDropped(() => (this.#pending = []))];
    if (docHost.unavailable()) return;
    for (const { config } of hosts.all()) {
      const { system, gpus } = store.performance.latest(config.id);
      const newestAt = store.performance.cursor(config.id)?.newestAt;
      if (newestAt === undefined) continue;
      // When it came is not kept; it is as old as it says at least, and never looks new.
      const observedAt = Math.min(newestAt, clock.now());
      this.#show(config.id, nextLive(null, { hostId: config.id, system, gpus }, observedAt));
    }
  }

  /** Commits what waits and ends. */
  stop(): void {
    for (const stop of this.#stops) stop();
    this.flush();
    this.#cancelFlush?.();
    this.#cancelFlush = null;
  }

  cursor(hostId: string): PerformanceCursor | null {
    this.flush();
    return this.#options.store.performance.cursor(hostId);
  }

  take(hostId: string, batch: PerformanceBatch): void {
    const { docHost, hosts, clock } = this.#options;
    // Older samples were dropped when the store failed: these would be kept before them, and hide the loss.
    if (docHost.unavailable() || !hosts.get(hostId)) return;
    this.#pending.push({ hostId, batch });
    this.#cancelFlush ??= clock.after(FLUSH_MS, () => this.flush());
    const live = nextLive(this.#live.get(hostId) ?? null, { hostId, ...batch }, clock.now());
    this.#show(hostId, live);
  }

  /** Drops what waits and what is shown of a host that was removed. */
  forget(hostId: string): void {
    this.#pending = this.#pending.filter((entry) => entry.hostId !== hostId);
    this.#live.delete(hostId);
  }

  /** Commits what waits, now. */
  flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = null;
    const { docHost, store, hosts, clock, log } = this.#options;
    const pending = this.#pending;
    if (pending.length === 0 || docHost.unavailable()) return;
    this.#pending = [];
    try {
      docHost.commit(() => {
        const now = clock.now();
        for (const { hostId, batch } of pending) {
          if (hosts.get(hostId)) store.performance.insert(hostId, batch, now);
        }
      });
    } catch (error) {
      if (error instanceof StoreError && error.failure === 'busy') {
        this.#pending = [...pending, ...this.#pending].slice(0, MAX_PENDING);
        this.#cancelFlush ??= clock.after(FLUSH_MS, () => this.flush());
        return;
      }
      if (!(error instanceof StoreError))
        log.error({ error: String(error) }, 'samples could not be recorded');
    }
  }

  #show(hostId: string, live: LiveHostPerformance): void {
    this.#live.set(hostId, live);
    this.#options.live.performance(hostId, live.shown);
  }
}
