import { gzipSync } from 'node:zlib';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { encodeSegment } from '#sync/segment-codec.ts';
import { realisticSamples } from '#sync/testing/realistic-performance.ts';
import { rollUpChunk } from '../domain/roll-up-chunk.ts';
import { hourOf } from '../domain/segment-policy.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { storedOf } from '../testing/performance-rows.ts';
import { type BenchPart, atMost, shown } from './budget.ts';
import { openHistory } from './open-history.ts';
import { largest, percentile } from './percentile.ts';

const HOUR_MS = 3_600_000;
const DAY_TICKS = 17_280;
const HOUR_TICKS = 720;
const CARDS = 2;
const NOON = Date.UTC(2026, 10, 30, 12);

/** Bytes that samples of a host with two cards take: raw, rolled up, in the database; and the time of a rollup. */
export const performanceBench: BenchPart = {
  name: 'performance samples',
  async run(scratch) {
    const day = realisticSamples({ gpus: CARDS, ticks: DAY_TICKS });
    const rollups = rollUpChunk('box', storedOf(day));
    const raw = gzipSync(encodeSegment('perf-raw', day)).byteLength;
    const rolled = gzipSync(encodeSegment('perf-5m', rollups)).byteLength;
    const { bytesPerSample, rollUpMs } = await keepHours(scratch.directory(), 24);
    return [
      atMost(
        'a day of samples, as sent to a chart',
        22,
        'B/sample gz',
        raw / DAY_TICKS,
        'machine and 2 cards',
      ),
      atMost('five-minute rollups, sealed', 20 * 1024, 'B/host/day', rolled, `${rollups.length} rows`),
      shown('samples in the database', 'B/sample', bytesPerSample, 'machine and 2 cards'),
      shown('  an hour of a host rolled up and committed, median', 'ms', percentile(rollUpMs, 0.5)),
      shown('  slowest', 'ms', largest(rollUpMs)),
    ];
  },
};

/** Keeps and rolls up `hours` of one host on a real database. */
async function keepHours(directory: string, hours: number) {
  const path = join(directory, 'drover.db');
  const clock = new ManualClock(NOON);
  const history = openHistory(directory, { clock, durable: false });
  history.addHosts(1, 0);
  const [host] = history.registry.hosts();
  const hostId = host?.id ?? '';
  history.store.connection.pragma('wal_checkpoint(TRUNCATE)');
  const before = statSync(path).size;
  const rollUpMs: number[] = [];
  for (let hour = 0; hour < hours; hour += 1) {
    const startAt = NOON + hour * HOUR_MS;
    const rows = realisticSamples({ gpus: CARDS, ticks: HOUR_TICKS, hostId, seed: hour + 1, startAt });
    history.performance.take(hostId, { ...storedOf(rows), cursor: { newestAt: startAt, counters: null } });
    history.performance.flush();
    const began = performance.now();
    history.upkeep.rollUp({ hostId, hour: hourOf(startAt) });
    rollUpMs.push(performance.now() - began);
  }
  history.store.connection.pragma('wal_checkpoint(TRUNCATE)');
  const bytesPerSample = (statSync(path).size - before) / (hours * HOUR_TICKS);
  await history.close();
  return { bytesPerSample, rollUpMs };
}
