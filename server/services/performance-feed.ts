import type { PerformanceSink } from '../domain/performance-ports.ts';
import {
  askAfter,
  openPerformanceSync,
  takeSamples,
  type PerformanceSync,
} from '../domain/performance-sync.ts';
import type { Clock, HostFeatures, LlamaSwapClient, Log } from '../domain/ports.ts';

/** What a feed of samples works with. */
export interface PerformanceFeedOptions {
  readonly hostId: string;
  readonly client: Pick<LlamaSwapClient, 'performance'>;
  /** Null: nobody keeps samples, and none are asked for. */
  readonly performance: PerformanceSink | null;
  readonly clock: Clock;
  readonly log: Log;
}

const POLL_MS = 5_000;
/** A host that samples nothing, or does not answer, is asked this seldom at last. */
const SLOWEST_POLL_MS = 60_000;
/** Asked for instead of an answer that was too large. */
const SMALL_WINDOW_MS = 60_000;

/**
 * Polls one host's samples while it is connected: never a host that sleeps or stands behind a wake-on-LAN proxy, which a
 * poll would wake. One request at a time, each with a deadline of its own.
 */
export class PerformanceFeed {
  readonly #options: PerformanceFeedOptions;
  #sync: PerformanceSync | null = null;
  #abort: AbortController | null = null;
  #cancelTimer: (() => void) | null = null;
  #misses = 0;
  #saidUnreadable = false;

  constructor(options: PerformanceFeedOptions) {
    this.#options = options;
  }

  /** The probes of a connection are through. */
  synchronise(features: HostFeatures): void {
    this.end();
    if (this.#options.performance === null || !features.performance || features.wolProxy) return;
    this.#abort = new AbortController();
    this.#misses = 0;
    this.#poll(this.#abort.signal);
  }

  /** No stream counts any more. */
  end(): void {
    this.#abort?.abort();
    this.#abort = null;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  /** The store recovered and may have lost what it was given: goes on from what it holds. */
  reload(): void {
    this.#sync = null;
  }

  #poll(signal: AbortSignal): void {
    void this.#pollOnce(signal).then((delayMs) => {
      if (!signal.aborted) this.#cancelTimer = this.#options.clock.after(delayMs, () => this.#poll(signal));
      return null;
    });
  }

  /** Asks once; returns how long to wait then. */
  async #pollOnce(signal: AbortSignal): Promise<number> {
    const { hostId, clock, log } = this.#options;
    const startedAt = clock.now();
    try {
      const periodMs = await this.#ask(signal);
      return Math.max(0, periodMs - Math.max(0, clock.now() - startedAt));
    } catch (error) {
      log.error({ hostId, error: String(error) }, 'reading performance samples threw');
      return SLOWEST_POLL_MS;
    }
  }

  /** Asks once; returns when to ask again, counted from the begin of this poll. */
  async #ask(signal: AbortSignal): Promise<number> {
    const { hostId, client, performance, clock } = this.#options;
    if (!performance) return SLOWEST_POLL_MS;
    const sync = (this.#sync ??= openPerformanceSync(performance.cursor(hostId), clock.now()));
    const result = await client.performance(askAfter(sync, clock.now()), signal);
    // A reload or the end of the connection came between: what was asked is not what is missing now.
    if (signal.aborted || this.#sync !== sync) return 0;
    const now = clock.now();
    if (!result.ok) {
      if (result.failure.kind === 'too_large') {
        // A host whose clock is hours off loses samples this once.
        this.#sync = openPerformanceSync({ newestAt: now - SMALL_WINDOW_MS, counters: null }, now);
      }
      return this.#miss();
    }
    if (!result.value.enabled) return this.#miss();
    this.#misses = 0;
    this.#sayUnreadable(result.value.unreadable);
    const step = takeSamples(sync, result.value, now);
    this.#sync = step.sync;
    if (step.batch) performance.take(hostId, step.batch);
    return POLL_MS;
  }

  #miss(): number {
    this.#misses += 1;
    return Math.min(SLOWEST_POLL_MS, POLL_MS * 2 ** Math.min(this.#misses - 1, 10));
  }

  #sayUnreadable(count: number): void {
    if (count === 0 || this.#saidUnreadable) return;
    this.#saidUnreadable = true;
    this.#options.log.warn({ hostId: this.#options.hostId, count }, 'performance samples could not be read');
  }
}
