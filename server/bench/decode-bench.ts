import { gzipSync } from 'node:zlib';
import type { PerformanceRow } from '#shared/schemas/performance.ts';
import { ROLLUP_MS } from '#shared/schemas/performance.ts';
import { decodeSegmentColumns, encodeSegment } from '#sync/segment-codec.ts';
import { realisticSamples } from '#sync/testing/realistic-performance.ts';
import { rollUpChunk } from '../domain/roll-up-chunk.ts';
import { storedOf } from '../testing/performance-rows.ts';
import { type BenchPart, type Reading, atMost } from './budget.ts';
import { syntheticTraffic } from './synthetic-traffic.ts';

const DAY_MS = 86_400_000;
const DAY_TICKS = 17_280;
const FROM = Date.UTC(2026, 10, 29);
const CARDS = 2;
const WEEK_DAYS = 7;
const ROUNDS = 20;

/** What a device spends on a segment it was sent: unpacked, and decoded to the arrays its worker filters and charts. */
export const decodeBench: BenchPart = {
  name: 'decode time',
  async run() {
    const rows = [...syntheticTraffic({ hosts: 50, rows: 100_000, from: FROM, to: FROM + DAY_MS })];
    const hour = encodeSegment('activity', rows.slice(0, rows.length / 24));
    const samples = realisticSamples({ gpus: CARDS, ticks: DAY_TICKS });
    return [
      decoded('activity of a fleet-hour', 5, { bytes: hour, rows: rows.length / 24 }),
      decoded('activity of a fleet-day', 80, { bytes: encodeSegment('activity', rows), rows: rows.length }),
      decoded('every sample of a host-day', 30, {
        bytes: encodeSegment('perf-raw', samples),
        rows: samples.length,
      }),
      decoded('five-minute rollups of a host-week', 10, week()),
    ];
  },
};

function week(): Encoded {
  const rows = Array.from({ length: WEEK_DAYS }, (_, day): readonly PerformanceRow[] => {
    const startAt = FROM + day * DAY_MS;
    return rollUpChunk(
      'box',
      storedOf(realisticSamples({ gpus: CARDS, ticks: DAY_TICKS, seed: day + 1, startAt })),
    );
  }).flat();
  const expected = WEEK_DAYS * (DAY_MS / ROLLUP_MS) * (CARDS + 1);
  if (rows.length < expected) throw new Error(`${rows.length} rollups instead of ${expected}`);
  return { bytes: encodeSegment('perf-5m', rows), rows: rows.length };
}

interface Encoded {
  readonly bytes: Uint8Array;
  readonly rows: number;
}

/** Thread time of a decoding once the code is warm, so that it does not grow with what else the machine does. */
function decoded(name: string, limitMs: number, { bytes, rows }: Encoded): Reading {
  const packed = new Uint8Array(gzipSync(bytes));
  const spent = (rounds: number): number => {
    const before = process.threadCpuUsage();
    for (let round = 0; round < rounds; round += 1) decodeSegmentColumns(packed);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000 / rounds;
  };
  const first = `the first ${spent(1).toFixed(0)} ms`;
  const size = `${Math.round(rows).toLocaleString('en')} rows in ${(packed.byteLength / 1000).toFixed(0)} kB`;
  return atMost(`decoded, ${name}`, limitMs, 'ms CPU', spent(ROUNDS), `${size}; mean of ${ROUNDS}, ${first}`);
}
