import { z } from 'zod';
import type { GpuSample, SystemSample } from '#shared/schemas/performance.ts';

/** A row of `perf_rollup` as far as it is measured. */
export interface RolledUp {
  readonly at: number;
  readonly samples: number;
  /** JSON array of numbers and nulls, in the order of the functions here; later ones may only be added at its end. */
  readonly readings: string;
}

const stored = z.array(z.number().nullable());
/** Number of values of a card, and where among them it says whether it was stale. */
const GPU_VALUES = 14;
const STALE = 13;

/** What is measured of a machine, in the order it is stored. */
export function systemReadingsText(sample: SystemSample): string {
  return JSON.stringify([
    sample.cpuPct,
    sample.cpuPctMax ?? null,
    sample.cpuPctP95 ?? null,
    sample.memUsedMb,
    sample.memUsedMbMax ?? null,
    sample.memTotalMb,
    sample.swapUsedMb,
    sample.swapTotalMb,
    sample.loadAvg1,
    sample.netInBytesPerSec,
    sample.netInBytesPerSecMax ?? null,
    sample.netOutBytesPerSec,
    sample.netOutBytesPerSecMax ?? null,
  ]);
}

/** Reads what {@link systemReadingsText} wrote. */
export function toSystemRollup({ at, samples, readings }: RolledUp): SystemSample {
  const [
    cpuPct = null,
    cpuPctMax = null,
    cpuPctP95 = null,
    memUsedMb = null,
    memUsedMbMax = null,
    memTotalMb = null,
    swapUsedMb = null,
    swapTotalMb = null,
    loadAvg1 = null,
    netInBytesPerSec = null,
    netInBytesPerSecMax = null,
    netOutBytesPerSec = null,
    netOutBytesPerSecMax = null,
  ] = stored.parse(JSON.parse(readings));
  return {
    at,
    cpuPct,
    memUsedMb,
    memTotalMb,
    swapUsedMb,
    swapTotalMb,
    loadAvg1,
    netInBytesPerSec,
    netOutBytesPerSec,
    samples,
    cpuPctMax,
    cpuPctP95,
    memUsedMbMax,
    netInBytesPerSecMax,
    netOutBytesPerSecMax,
  };
}

/** What is measured of a card, in the order it is stored. */
export function gpuReadingsText(sample: GpuSample): string {
  return JSON.stringify([
    sample.utilPct,
    sample.utilPctMax ?? null,
    sample.utilPctP95 ?? null,
    sample.memUsedMb,
    sample.memUsedMbMax ?? null,
    sample.memUsedMbMin ?? null,
    sample.memTotalMb,
    sample.tempC,
    sample.tempCMax ?? null,
    sample.memTempC,
    sample.fanPct,
    sample.powerW,
    sample.powerWMax ?? null,
    sample.stale ? 1 : 0,
  ]);
}

/** What {@link gpuReadingsText} wrote but for whether the card was stale; that of a machine as it is. */
export function withoutStale(readings: string): string {
  const values = stored.parse(JSON.parse(readings));
  if (values.length === GPU_VALUES) values[STALE] = null;
  return JSON.stringify(values);
}

/** Reads what {@link gpuReadingsText} wrote. */
export function toGpuRollup({ at, samples, readings }: RolledUp): GpuSample {
  const [
    utilPct = null,
    utilPctMax = null,
    utilPctP95 = null,
    memUsedMb = null,
    memUsedMbMax = null,
    memUsedMbMin = null,
    memTotalMb = null,
    tempC = null,
    tempCMax = null,
    memTempC = null,
    fanPct = null,
    powerW = null,
    powerWMax = null,
    stale = null,
  ] = stored.parse(JSON.parse(readings));
  return {
    at,
    utilPct,
    memUsedMb,
    memTotalMb,
    tempC,
    memTempC,
    fanPct,
    powerW,
    stale: stale === 1,
    samples,
    utilPctMax,
    utilPctP95,
    memUsedMbMax,
    memUsedMbMin,
    tempCMax,
    powerWMax,
  };
}
