import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROLLUP_MS } from '#shared/schemas/performance.ts';
import type { PerformanceRow } from '#shared/schemas/performance.ts';
import { decodeSegment, decodeSegmentColumns, encodeSegment, SegmentError } from './segment-codec.ts';
import { anyPerformanceRow } from './testing/arbitrary-performance.ts';
import { realisticSamples } from './testing/realistic-performance.ts';

/** The same rows at five minutes each, as if each stood for 60 of them. */
function asRollups(rows: readonly PerformanceRow[]): PerformanceRow[] {
  const ats = new Map<number, number>();
  return rows.map((row): PerformanceRow => {
    const slot = ats.get(row.sample.at) ?? ats.size;
    ats.set(row.sample.at, slot);
    const times = { at: slot * ROLLUP_MS, samples: 60 };
    const none = null;
    if (row.gpu === null) {
      const extremes = { cpuPctMax: none, cpuPctP95: 5, memUsedMbMax: none };
      const rates = { netInBytesPerSecMax: none, netOutBytesPerSecMax: none };
      return { ...row, sample: { ...row.sample, ...times, ...extremes, ...rates } };
    }
    const extremes = { utilPctMax: none, utilPctP95: none, memUsedMbMax: none, memUsedMbMin: none };
    return { ...row, sample: { ...row.sample, ...times, ...extremes, tempCMax: 50, powerWMax: none } };
  });
}

function errorOf(run: () => unknown): unknown {
  try {
    run();
    return null;
  } catch (error) {
    return error;
  }
}

const anyRollups = fc.array(anyPerformanceRow('perf-5m'), { maxLength: 60 });
const anySamples = fc.array(anyPerformanceRow('perf-raw'), { maxLength: 60 });

describe('segments of samples', () => {
  it('[G9] give back rollups and raw samples in order, raw and gzipped', () => {
    fc.assert(
      fc.property(anyRollups, (rows) => {
        const bytes = encodeSegment('perf-5m', rows);
        expect(decodeSegment(bytes)).toEqual({ version: 1, kind: 'perf-5m', rows });
        expect(decodeSegment(gzipSync(bytes))).toEqual({ version: 1, kind: 'perf-5m', rows });
      }),
      { numRuns: 100 },
    );
    fc.assert(
      fc.property(anySamples, (rows) => {
        expect(decodeSegment(encodeSegment('perf-raw', rows))).toEqual({
          version: 1,
          kind: 'perf-raw',
          rows,
        });
      }),
      { numRuns: 100 },
    );
  });

  it('[G9] give columns by series for charts', () => {
    const rollups = asRollups(realisticSamples({ gpus: 2, ticks: 12 }));
    const columns = decodeSegmentColumns(encodeSegment('perf-5m', rollups));
    if (columns.kind !== 'perf-5m') throw new Error('another kind');
    expect(columns.series.map(({ gpu, from, to }) => [gpu?.id ?? null, to - from])).toEqual([
      [null, 12],
      [0, 12],
      [1, 12],
    ]);
    expect(columns.system.columns.get('samples')).toEqual(new Float64Array(12).fill(60));
    expect(columns.row(5)).toEqual(rollups[5]);
    expect(columns.row(0)).toEqual(rollups[0]);
    expect(() => columns.row(36)).toThrow(RangeError);
  });

  it('[G10] take at most 22 B a sample gzipped in a day of a host with two cards', () => {
    const ticks = 17_280;
    const bytes = gzipSync(encodeSegment('perf-raw', realisticSamples({ gpus: 2, ticks })));
    expect(bytes.byteLength / ticks).toBeLessThanOrEqual(22);
  });

  it('refuse rollups that do not begin with their five minutes', () => {
    const odd = realisticSamples({ gpus: 1, ticks: 2 });
    expect(() => encodeSegment('perf-5m', odd)).toThrow(`multiples of ${ROLLUP_MS}`);
  });

  it('[G5] survive any damage: other rows, or an error of their own', () => {
    const bytes = encodeSegment('perf-5m', asRollups(realisticSamples({ gpus: 1, ticks: 12 })));
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), fc.nat(bytes.length), (at, value, length) => {
        const damaged = bytes.slice(0, length);
        if (at < damaged.length) damaged[at] = value;
        expect(errorOf(() => decodeSegment(damaged)) ?? new SegmentError('corrupt', '')).toBeInstanceOf(
          SegmentError,
        );
      }),
      { numRuns: 400 },
    );
  });
});
