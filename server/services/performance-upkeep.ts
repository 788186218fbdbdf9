import { setImmediate } from 'node:timers/promises';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { checkOf } from '../domain/health/check.ts';
import type { PerformanceChunk } from '../domain/performance-ports.ts';
import type { Clock, HealthSource, Log } from '../domain/ports.ts';
import { rollUpChunk } from '../domain/roll-up-chunk.ts';
import { hourOf } from '../domain/segment-policy.ts';
import { StoreError } from '../domain/store-error.ts';
import type { Store } from '../domain/store-ports.ts';
import type { DocHost } from './doc-host.ts';
import { RepeatedWork } from './repeated-work.ts';

/** What the upkeep of samples is made of. */
export interface PerformanceUpkeepOptions {
  readonly docHost: Pick<DocHost, 'commit' | 'unavailable'>;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** How long raw samples are kept after they came. */
  readonly rawHours: number;
  /** Rollups wait to be sealed. */
  readonly onRolledUp: () => void;
}

const PERFORMANCE = checkOf('performance', 'Samples');
const HOUR_MS = 3_600_000;
/** Looks what is due: an hour that ended is rolled up within two minutes. */
const TICK_MS = 60_000;
/** An hour is over when nothing came for it this long: polls are 5 s apart, and one may be late. */
const QUIET_MS = 60_000;
/** Samples deleted in one commit: some 5 ms. */
const DELETE_ROWS = 1_000;

/**
 * Rolls samples up and drops old ones, an hour of a host at a time. Each step is one short commit and leaves nothing
 * half done: it may end anywhere, and doing it twice changes nothing.
 */
export class PerformanceUpkeep implements HealthSource {
  readonly #options: PerformanceUpkeepOptions;
  readonly #work: RepeatedWork;
  #failure: string | null = null;

  constructor(options: PerformanceUpkeepOptions) {
    this.#options = options;
    this.#work = new RepeatedWork({ clock: options.clock, everyMs: TICK_MS }, (isStopped) =>
      this.#doAll(isStopped),
    );
  }

  start(): void {
    this.#work.start();
  }

  /** Ends after the step under way. */
  stop(): Promise<void> {
    return this.#work.stop();
  }

  /** Resolves when nothing is due any more. */
  settled(): Promise<void> {
    return this.#work.settled();
  }

  health(): readonly HealthCheck[] {
    if (this.#failure === null) return [];
    const detail = `Rolling up performance samples failed: ${this.#failure}. No sample is lost; it is tried again.`;
    return [PERFORMANCE.warn({ detail, remediation: 'See the log; report it when it stays.' })];
  }

  /** Does one thing that is due; false when nothing is. */
  step(): boolean {
    const { store, clock, rawHours } = this.#options;
    const now = clock.now();
    const quietSince = now - QUIET_MS;
    const hourStart = hourOf(quietSince) * HOUR_MS;
    const [behind] = store.performance.chunksBehind({ quietSince, hourStart, limit: 1 });
    if (behind) {
      this.rollUp(behind);
      return true;
    }
    const old = store.performance.oldChunk(now - rawHours * HOUR_MS);
    if (!old) return false;
    this.#options.docHost.commit(() => store.performance.deleteSome(old, DELETE_ROWS));
    return true;
  }

  /** Makes the rollup of an hour again: what it said already stays, and more is put in its place. */
  rollUp(chunk: PerformanceChunk): void {
    const { docHost, store, clock, onRolledUp } = this.#options;
    docHost.commit(() => {
      const from = chunk.hour * HOUR_MS;
      const rows = rollUpChunk(chunk.hostId, store.performance.read(chunk.hostId, from, from + HOUR_MS));
      const { inserted, replaced } = store.rollups.put(rows);
      store.segments.markStaleRows('perf-5m', replaced);
      if (inserted) {
        const { fromSeq, toSeq } = inserted;
        store.segments.place('perf-5m', { fromSeq, toSeq, hour: hourOf(clock.now()) }, 'waiting');
      }
      store.performance.settleChunk(chunk);
    });
    onRolledUp();
  }

  async #doAll(isStopped: () => boolean): Promise<void> {
    try {
      while (!isStopped() && !this.#options.docHost.unavailable() && this.step()) await setImmediate();
      this.#failure = null;
    } catch (error) {
      // A busy database is tried again at the next tick; one that failed has its own word for it.
      if (error instanceof StoreError) return;
      this.#failure = error instanceof Error ? error.message : String(error);
      this.#options.log.warn({ error: this.#failure }, 'performance samples could not be rolled up');
    }
  }
}
