import type { GpuSample, SystemSample } from '#shared/schemas/performance.ts';
import type { SqlValue } from './connection.ts';

/** A row of `perf_system_sample` but for its host. */
export interface SystemRow {
  readonly at: number;
  readonly cpu_pct10: number | null;
  readonly mem_used_mb: number | null;
  readonly mem_total_mb: number | null;
  readonly swap_used_mb: number | null;
  readonly swap_total_mb: number | null;
  readonly load100: number | null;
  readonly net_in: number | null;
  readonly net_out: number | null;
}

/** A row of `perf_gpu_sample` but for its card. */
export interface GpuRow {
  readonly at: number;
  readonly util_pct10: number | null;
  readonly mem_used_mb: number | null;
  readonly mem_total_mb: number | null;
  readonly temp_c: number | null;
  readonly mem_temp_c: number | null;
  readonly fan_pct10: number | null;
  readonly power_w10: number | null;
}

/** Columns of {@link SystemRow}, in the order of {@link systemValues}. */
export const SYSTEM_COLUMNS =
  'at, cpu_pct10, mem_used_mb, mem_total_mb, swap_used_mb, swap_total_mb, load100, net_in, net_out';
/** Columns of {@link GpuRow}, in the order of {@link gpuValues}. */
export const GPU_COLUMNS =
  'at, util_pct10, mem_used_mb, mem_total_mb, temp_c, mem_temp_c, fan_pct10, power_w10';

/** A sample as the values of its row. */
export function systemValues(sample: SystemSample): SqlValue[] {
  return [
    sample.at,
    scaled(sample.cpuPct, 10),
    sample.memUsedMb,
    sample.memTotalMb,
    sample.swapUsedMb,
    sample.swapTotalMb,
    scaled(sample.loadAvg1, 100),
    sample.netInBytesPerSec,
    sample.netOutBytesPerSec,
  ];
}

/** A row as the sample it was. */
export function toSystemSample(row: SystemRow): SystemSample {
  return {
    at: row.at,
    cpuPct: unscaled(row.cpu_pct10, 10),
    memUsedMb: row.mem_used_mb,
    memTotalMb: row.mem_total_mb,
    swapUsedMb: row.swap_used_mb,
    swapTotalMb: row.swap_total_mb,
    loadAvg1: unscaled(row.load100, 100),
    netInBytesPerSec: row.net_in,
    netOutBytesPerSec: row.net_out,
  };
}

/** A sample as the values of its row. */
export function gpuValues(sample: Omit<GpuSample, 'stale'>): SqlValue[] {
  return [
    sample.at,
    scaled(sample.utilPct, 10),
    sample.memUsedMb,
    sample.memTotalMb,
    sample.tempC,
    sample.memTempC,
    scaled(sample.fanPct, 10),
    scaled(sample.powerW, 10),
  ];
}

/** A row as the sample it was. */
export function toGpuSample(row: GpuRow): Omit<GpuSample, 'stale'> {
  return {
    at: row.at,
    utilPct: unscaled(row.util_pct10, 10),
    memUsedMb: row.mem_used_mb,
    memTotalMb: row.mem_total_mb,
    tempC: row.temp_c,
    memTempC: row.mem_temp_c,
    fanPct: unscaled(row.fan_pct10, 10),
    powerW: unscaled(row.power_w10, 10),
  };
}

function scaled(value: number | null, perUnit: number): number | null {
  return value === null ? null : Math.round(value * perUnit);
}

function unscaled(value: number | null, perUnit: number): number | null {
  return value === null ? null : value / perUnit;
}
