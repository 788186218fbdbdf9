import * as fc from 'fast-check';
import { ROLLUP_MS } from '#shared/schemas/performance.ts';
import type { GpuIdentity, GpuSample, PerformanceRow, SystemSample } from '#shared/schemas/performance.ts';
import type { PerformanceKind } from '../segment-performance.ts';

const orNull = (value: fc.Arbitrary<number>) => fc.option(value, { nil: null, freq: 4 });
const anyPct = orNull(fc.nat(1000).map((tenths) => tenths / 10));
const anyWatts = orNull(fc.nat(20_000).map((tenths) => tenths / 10));
const anyLoad = orNull(fc.nat(100_000).map((hundredths) => hundredths / 100));
const anyCount = orNull(fc.oneof(fc.nat(50_000), fc.nat({ max: 2 ** 50 })));

const anyGpu: fc.Arbitrary<GpuIdentity> = fc.record({
  key: fc.constantFrom('GPU-1', 'GPU-2', 'id:0', '__proto__'),
  id: fc.option(fc.nat(8), { nil: null }),
  name: fc.constantFrom('RTX 3090', 'GB10', '💥'),
  uuid: fc.option(fc.constantFrom('GPU-1', 'GPU-2'), { nil: null }),
});

const system = {
  cpuPct: anyPct,
  memUsedMb: anyCount,
  memTotalMb: anyCount,
  swapUsedMb: anyCount,
  swapTotalMb: anyCount,
  loadAvg1: anyLoad,
  netInBytesPerSec: anyCount,
  netOutBytesPerSec: anyCount,
};
const gpu = {
  utilPct: anyPct,
  memUsedMb: anyCount,
  memTotalMb: anyCount,
  tempC: anyCount,
  memTempC: anyCount,
  fanPct: anyPct,
  powerW: anyWatts,
  stale: fc.boolean(),
};
const samples = fc.nat(720);

/** Any row a segment of this kind can hold, of few hosts and cards, so that rows of one follow each other. */
export function anyPerformanceRow(kind: PerformanceKind): fc.Arbitrary<PerformanceRow> {
  const at =
    kind === 'perf-5m'
      ? fc.integer({ min: -1e9, max: 1e9 }).map((slot) => slot * ROLLUP_MS)
      : fc.integer({ min: -8.64e15, max: 8.64e15 });
  const systemSample: fc.Arbitrary<SystemSample> =
    kind === 'perf-raw'
      ? fc.record({ at, ...system })
      : fc.record({
          at,
          ...system,
          samples,
          cpuPctMax: anyPct,
          cpuPctP95: anyPct,
          memUsedMbMax: anyCount,
          netInBytesPerSecMax: anyCount,
          netOutBytesPerSecMax: anyCount,
        });
  const gpuSample: fc.Arbitrary<GpuSample> =
    kind === 'perf-raw'
      ? fc.record({ at, ...gpu })
      : fc.record({
          at,
          ...gpu,
          samples,
          utilPctMax: anyPct,
          utilPctP95: anyPct,
          memUsedMbMax: anyCount,
          memUsedMbMin: anyCount,
          tempCMax: anyCount,
          powerWMax: anyWatts,
        });
  const hostId = fc.constantFrom('alpha', 'beta');
  return fc.oneof(
    fc.record({ hostId, gpu: fc.constant(null), sample: systemSample }),
    fc.record({ hostId, gpu: anyGpu, sample: gpuSample }),
  );
}
