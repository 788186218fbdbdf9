import type { GpuSample, SystemSample } from '#shared/schemas/performance.ts';

/** One sample for each stretch of `stepMs` that has any: averages, with the extremes where they matter. */
export function rollUpSystem(samples: readonly SystemSample[], stepMs: number): SystemSample[] {
  return buckets(samples, stepMs).map(([at, of]) => {
    const cpu = spread(of, (sample) => sample.cpuPct, { max: (sample) => sample.cpuPctMax });
    const memory = spread(of, (sample) => sample.memUsedMb, { max: (sample) => sample.memUsedMbMax });
    const received = spread(of, (sample) => sample.netInBytesPerSec, {
      max: (sample) => sample.netInBytesPerSecMax,
    });
    const sent = spread(of, (sample) => sample.netOutBytesPerSec, {
      max: (sample) => sample.netOutBytesPerSecMax,
    });
    return {
      at,
      cpuPct: inSteps(cpu.average, 10),
      memUsedMb: inSteps(memory.average, 1),
      memTotalMb: newest(of, (sample) => sample.memTotalMb),
      swapUsedMb: inSteps(spread(of, (sample) => sample.swapUsedMb).average, 1),
      swapTotalMb: newest(of, (sample) => sample.swapTotalMb),
      loadAvg1: inSteps(spread(of, (sample) => sample.loadAvg1).average, 100),
      netInBytesPerSec: inSteps(received.average, 1),
      netOutBytesPerSec: inSteps(sent.average, 1),
      samples: countOf(of),
      cpuPctMax: cpu.max,
      cpuPctP95: percentile95(of, (sample) => sample.cpuPct),
      memUsedMbMax: memory.max,
      netInBytesPerSecMax: received.max,
      netOutBytesPerSecMax: sent.max,
    };
  });
}

/** As {@link rollUpSystem} for a card; a stretch is stale when its last sample is. */
export function rollUpGpu(samples: readonly GpuSample[], stepMs: number): GpuSample[] {
  return buckets(samples, stepMs).map(([at, of]) => {
    const use = spread(of, (sample) => sample.utilPct, { max: (sample) => sample.utilPctMax });
    const memory = spread(of, (sample) => sample.memUsedMb, {
      max: (sample) => sample.memUsedMbMax,
      min: (sample) => sample.memUsedMbMin,
    });
    const temperature = spread(of, (sample) => sample.tempC, { max: (sample) => sample.tempCMax });
    const power = spread(of, (sample) => sample.powerW, { max: (sample) => sample.powerWMax });
    return {
      at,
      utilPct: inSteps(use.average, 10),
      memUsedMb: inSteps(memory.average, 1),
      memTotalMb: newest(of, (sample) => sample.memTotalMb),
      tempC: inSteps(temperature.average, 1),
      memTempC: inSteps(spread(of, (sample) => sample.memTempC).average, 1),
      fanPct: inSteps(spread(of, (sample) => sample.fanPct).average, 1),
      powerW: inSteps(power.average, 1),
      stale: of.at(-1)?.stale ?? false,
      samples: countOf(of),
      utilPctMax: use.max,
      utilPctP95: percentile95(of, (sample) => sample.utilPct),
      memUsedMbMax: memory.max,
      memUsedMbMin: memory.min,
      tempCMax: temperature.max,
      powerWMax: inSteps(power.max, 1),
    };
  });
}

type Read<Sample> = (sample: Sample) => number | null | undefined;
type Weighted = { readonly at: number; readonly samples?: number | undefined };

function buckets<Sample extends Weighted>(
  samples: readonly Sample[],
  stepMs: number,
): [number, readonly Sample[]][] {
  const groups = Map.groupBy(samples, ({ at }) => Math.floor(at / stepMs) * stepMs);
  return [...groups].sort(([a], [b]) => a - b);
}

/** Average and extremes of what is known; a sample that stands for many counts as many and has extremes of its own. */
function spread<Sample extends Weighted>(
  samples: readonly Sample[],
  read: Read<Sample>,
  extremes: { readonly max?: Read<Sample>; readonly min?: Read<Sample> } = {},
): { readonly average: number | null; readonly max: number | null; readonly min: number | null } {
  let sum = 0;
  let weights = 0;
  let max = Number.NEGATIVE_INFINITY;
  let min = Number.POSITIVE_INFINITY;
  for (const sample of samples) {
    const value = read(sample) ?? null;
    if (value === null) continue;
    const weight = sample.samples ?? 1;
    sum += value * weight;
    weights += weight;
    max = Math.max(max, extremes.max?.(sample) ?? value);
    min = Math.min(min, extremes.min?.(sample) ?? value);
  }
  return weights === 0 ? { average: null, max: null, min: null } : { average: sum / weights, max, min };
}

/** Nearest rank over plain samples. Percentiles of stretches say nothing about the percentile of all of them. */
function percentile95<Sample extends Weighted>(
  samples: readonly Sample[],
  read: Read<Sample>,
): number | null {
  if (samples.some(({ samples: count }) => count !== undefined)) return null;
  const known = samples.flatMap((sample) => read(sample) ?? []).sort((a, b) => a - b);
  return known[Math.ceil(known.length * 0.95) - 1] ?? null;
}

function newest<Sample>(samples: readonly Sample[], read: Read<Sample>): number | null {
  return samples.reduce<number | null>((last, sample) => read(sample) ?? last, null);
}

function countOf(samples: readonly Weighted[]): number {
  return samples.reduce((sum, { samples: count }) => sum + (count ?? 1), 0);
}

function inSteps(value: number | null, perUnit: number): number | null {
  return value === null ? null : Math.round(value * perUnit) / perUnit;
}
