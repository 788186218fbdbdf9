import type { GpuIdentity, GpuSample, SystemSample } from '#shared/schemas/performance.ts';

/** Bytes an interface carried since it came up. */
export interface NetCounter {
  readonly name: string;
  readonly received: number;
  readonly sent: number;
}

/** A machine's own numbers at a moment, as a host reports them: rates need the reading before. */
export type SystemReading = Pick<
  SystemSample,
  'at' | 'cpuPct' | 'memUsedMb' | 'memTotalMb' | 'swapUsedMb' | 'swapTotalMb' | 'loadAvg1'
> & { readonly net: readonly NetCounter[] };

/** Readings of one card; whether it went stale shows later. */
export interface GpuReadings {
  readonly gpu: GpuIdentity;
  readonly readings: readonly Omit<GpuSample, 'stale'>[];
}

/** What `/api/performance` gave, mapped: every list in the order the host took it, unknown values null. */
export interface ObservedPerformance {
  /** False: the host samples nothing. */
  readonly enabled: boolean;
  readonly system: readonly SystemReading[];
  readonly gpus: readonly GpuReadings[];
  readonly unreadable: number;
}

/** New samples of a host on their way to the store, with what the next ones are read against. */
export interface PerformanceBatch {
  readonly system: readonly SystemSample[];
  readonly gpus: readonly GpuReadings[];
  readonly cursor: PerformanceCursor;
}

/** Where a host's samples were left off: survives a restart, so that none is missed, taken twice or measured anew. */
export interface PerformanceCursor {
  /** Time of the newest reading of the machine, by the host's clock. */
  readonly newestAt: number;
  /** Counters of the last system reading, which the next one's rates are since. */
  readonly counters: { readonly at: number; readonly net: readonly NetCounter[] } | null;
}
