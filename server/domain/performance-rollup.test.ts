import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GpuSample, SystemSample } from '#shared/schemas/performance.ts';
import { rollUpGpu, rollUpSystem } from './performance-rollup.ts';

const system = (at: number, cpuPct: number | null): SystemSample => ({
  at,
  cpuPct,
  memUsedMb: null,
  memTotalMb: 1000,
  swapUsedMb: null,
  swapTotalMb: null,
  loadAvg1: null,
  netInBytesPerSec: cpuPct,
  netOutBytesPerSec: null,
});
const gpu = (at: number, memUsedMb: number | null, stale = false): GpuSample => ({
  at,
  utilPct: memUsedMb === null ? null : memUsedMb % 101,
  memUsedMb,
  memTotalMb: null,
  tempC: null,
  memTempC: null,
  fanPct: null,
  powerW: 12.34,
  stale,
});

describe('rollups', () => {
  it('average what is known and leave stretches without samples out', () => {
    const samples = [system(10, 10), system(299_999, null), system(250_000, 20), system(900_000, null)];
    expect(rollUpSystem(samples, 300_000)).toMatchObject([
      {
        at: 0,
        samples: 3,
        cpuPct: 15,
        cpuPctMax: 20,
        cpuPctP95: 20,
        memUsedMb: null,
        netInBytesPerSecMax: 20,
      },
      { at: 900_000, samples: 1, cpuPct: null, cpuPctMax: null, cpuPctP95: null, memTotalMb: 1000 },
    ]);
  });

  it('take the 95th percentile by rank', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => system(index, index + 1));
    expect(rollUpSystem(hundred, 300_000)[0]).toMatchObject({ cpuPct: 50.5, cpuPctMax: 100, cpuPctP95: 95 });
  });

  it('are stale when their last sample is', () => {
    const [first, second] = rollUpGpu([gpu(0, 5, true), gpu(9, 7), gpu(300_000, 7, true)], 300_000);
    expect(first).toMatchObject({ stale: false, memUsedMbMin: 5, memUsedMbMax: 7, powerW: 12 });
    expect(second?.stale).toBe(true);
  });

  it('of rollups are those of the samples but for rounding and percentiles, which are not known', () => {
    const readings = fc.array(
      fc
        .tuple(fc.nat({ max: 3_600_000 }), fc.option(fc.nat({ max: 50_000 })))
        .map(([at, used]) => gpu(at, used)),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(readings, (samples) => {
        const byTime = samples.toSorted((a, b) => a.at - b.at);
        const direct = rollUpGpu(byTime, 3_600_000);
        const twice = rollUpGpu(rollUpGpu(byTime, 300_000), 3_600_000);
        expect(twice.map((row) => [row.at, row.samples, row.memUsedMbMax, row.memUsedMbMin])).toEqual(
          direct.map((row) => [row.at, row.samples, row.memUsedMbMax, row.memUsedMbMin]),
        );
        for (const row of twice) expect(row.utilPctP95).toBeNull();
      }),
      { numRuns: 60 },
    );
  });
});
