import type {
  PerformanceAnswer,
  PerformanceQuery,
  PerformanceRow,
  SystemSample,
} from '#shared/schemas/performance.ts';
import type { GpuReadings, PerformanceBatch, PerformanceCursor } from './performance-readings.ts';
import type { Inserted, SeqRange } from './store-ports.ts';

/** Where connectors put samples, and what they read back: cheap, synchronous; the commit follows within a second. */
export interface PerformanceSink {
  /** Where the host's samples were left off; null when there is none. What waits for its commit is committed first. */
  cursor(hostId: string): PerformanceCursor | null;
  take(hostId: string, batch: PerformanceBatch): void;
}

/** An hour of a host's samples, by the host's clock: the unit in which they are rolled up and dropped. */
export interface PerformanceChunk {
  readonly hostId: string;
  /** Hours since the epoch. */
  readonly hour: number;
}

/** Samples of a host over some time, each series oldest first; cards without any are left out. */
export interface StoredPerformance {
  readonly system: readonly SystemSample[];
  readonly gpus: readonly GpuReadings[];
}

/** Raw samples, each at most once: unique on host or card, and time. */
export interface PerformanceStore {
  cursor(hostId: string): PerformanceCursor | null;
  /** Keeps what is new, and the cursor. */
  insert(hostId: string, batch: PerformanceBatch, receivedAt: number): void;
  /** Samples with `from` ≤ `at` < `to`. */
  read(hostId: string, from: number, to: number): StoredPerformance;
  /** The newest sample of each card, and the newest few of the machine. */
  latest(hostId: string): StoredPerformance;
  /**
   * Hours whose rollup is behind and to which nothing was added since `quietSince`, if they are over: newer samples of the
   * host exist, or nothing came since `hourStart`.
   */
  chunksBehind(options: {
    readonly quietSince: number;
    readonly hourStart: number;
    readonly limit: number;
  }): readonly PerformanceChunk[];
  /** The rollup of an hour is up to date. */
  settleChunk(chunk: PerformanceChunk): void;
  /** An hour that is rolled up and to which nothing was added since `before`; null when there is none. */
  oldChunk(before: number): PerformanceChunk | null;
  /** Deletes up to `limit` samples of an hour, and with its last ones the hour; returns how many. */
  deleteSome(chunk: PerformanceChunk, limit: number): number;
  deleteHost(hostId: string): void;
}

/** Rollups, one for each five minutes of a machine or card, numbered in order of receipt like every history row. */
export interface RollupStore {
  /**
   * Keeps what is new or says more than before: five minutes that were rolled up from more samples stay as they are.
   * `replaced` are the numbers of rows that went.
   */
  put(rows: readonly PerformanceRow[]): {
    readonly inserted: Inserted<PerformanceRow> | null;
    readonly replaced: readonly number[];
  };
  read(ranges: readonly SeqRange[]): readonly PerformanceRow[];
  /** Rollups of a host with `from` ≤ `at` < `to`, oldest first. */
  readHost(hostId: string, from: number, to: number): readonly PerformanceRow[];
  count(ranges: readonly SeqRange[]): number;
  deleteSome(range: SeqRange, limit: number): number;
  deleteHost(hostId: string): void;
}

/** Reads samples off the main loop; throws `AppError` `bad_request` for what has no answer, `timeout` past its deadline. */
export interface PerformanceQueries {
  /** Null: nothing was ever recorded of the host. */
  answer(query: PerformanceQuery): Promise<PerformanceAnswer | null>;
  /** Every sample of a UTC day (days since the epoch) as a `perf-raw` segment, gzip'd; null when there are none. */
  day(hostId: string, day: number): Promise<{ readonly bytes: Uint8Array; readonly hash: string } | null>;
}
