import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { PerformanceRow } from '#shared/schemas/performance.ts';
import { ROLLUP_MS } from '#shared/schemas/performance.ts';
import type { SegmentEntry } from '#shared/schemas/segment.ts';
import { encodeSegment } from '#sync/segment-codec.ts';
import { realisticSamples } from '#sync/testing/realistic-performance.ts';

const TICK_MS = 5_000;

/** Whose samples, how many moments, from when on. */
export interface RollupOptions {
  readonly hostId: string;
  readonly count: number;
  readonly startAt: number;
}

/** Samples of a machine with two cards, one every five minutes. */
export function rollupRows({ hostId, count, startAt }: RollupOptions): readonly PerformanceRow[] {
  return realisticSamples({ hostId, gpus: 2, ticks: count, startAt }).map((row): PerformanceRow => {
    const at = startAt + Math.round((row.sample.at - startAt) / TICK_MS) * ROLLUP_MS;
    return row.gpu === null
      ? { ...row, sample: { ...row.sample, at } }
      : { ...row, sample: { ...row.sample, at } };
  });
}

/** The same sealed, as the collector seals them. */
export function rollups(options: RollupOptions): {
  readonly rows: readonly PerformanceRow[];
  readonly entry: SegmentEntry;
  readonly bytes: Uint8Array;
} {
  const rows = rollupRows(options);
  const bytes = new Uint8Array(gzipSync(encodeSegment('perf-5m', rows)));
  const times = rows.map(({ sample }) => sample.at);
  return {
    rows,
    bytes,
    entry: {
      kind: 'perf-5m',
      key: '2026-11-30T11.0',
      rows: rows.length,
      bytes: bytes.byteLength,
      hash: createHash('sha256').update(bytes).digest('hex'),
      from: Math.min(...times),
      to: Math.max(...times),
    },
  };
}
