import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { PerformanceQuery } from '#shared/schemas/performance.ts';
import { realisticSamples } from '#sync/testing/realistic-performance.ts';
import { SqlitePerformanceQueries } from '../adapters/sqlite/performance-queries.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { rollUpChunk } from '../domain/roll-up-chunk.ts';
import { hourOf } from '../domain/segment-policy.ts';
import { storedOf } from '../testing/performance-rows.ts';
import { type BenchPart, type Reading, atMost, shown } from './budget.ts';
import { type OpenHistory, openHistory } from './open-history.ts';
import { percentile } from './percentile.ts';
import type { Scratch } from './scratch.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOUR_TICKS = 720;
const CARDS = 2;
const HOSTS = 3;
/** As long as the product keeps them. */
const RAW_HOURS = 48;
const ROLLUP_DAYS = 90;
const SAMPLES = 25;
/** The ranges of the page; the longest of them reads ten times as many rows as a week. */
const RANGES = [
  ['an hour, every sample', HOUR_MS],
  ['6 hours by the minute', 6 * HOUR_MS],
  ['a day by the minute', DAY_MS],
  ['a week by quarters of an hour', 7 * DAY_MS],
  ['a month by the hour', 30 * DAY_MS],
  ['all that is kept', ROLLUP_DAYS * DAY_MS],
] as const;

/** `GET /api/performance` on all that the product keeps of a host, through its own thread, as charts ask it. */
export const chartQueryBench: BenchPart = {
  name: 'performance: chart queries',
  async run(scratch) {
    const { path, now, rows, seconds } = await fill(scratch);
    const clock = { ...systemClock, now: () => now };
    const queries = new SqlitePerformanceQueries(path, { clock, rawHours: RAW_HOURS });
    scratch.onEnd(() => queries.stop());
    const lag = monitorEventLoopDelay({ resolution: 5 });
    const ask = async (hostId: string, query: Omit<PerformanceQuery, 'hostId'>): Promise<number> => {
      const began = performance.now();
      const answer = await queries.answer({ hostId, ...query });
      const took = performance.now() - began;
      if (!answer || answer.system.length === 0)
        throw new Error(`nothing of ${hostId} ${JSON.stringify(query)}`);
      return took;
    };
    const first = await ask('host-0', { to: now });
    lag.enable();
    const kinds: { readonly name: string; readonly p50: number; readonly p95: number }[] = [];
    for (const [name, spanMs] of RANGES) {
      const times: number[] = [];
      for (let at = 0; at < SAMPLES; at += 1) {
        // Somebody pans back a little each time; the longest range has nowhere to go.
        const to = now - Math.min(at * 60_000, ROLLUP_DAYS * DAY_MS - spanMs);
        times.push(await ask(`host-${at % HOSTS}`, { from: to - spanMs, to }));
      }
      kinds.push({ name, p50: percentile(times, 0.5), p95: percentile(times, 0.95) });
    }
    lag.disable();
    await queries.stop();
    const [longest, ...shorter] = kinds.toReversed();
    const worst = shorter.toSorted((a, b) => b.p95 - a.p95)[0];
    return [
      shown(
        'samples and rollups behind the queries',
        'rows',
        rows,
        `${HOSTS} hosts, ${CARDS} cards each, built in ${seconds.toFixed(0)} s`,
      ),
      shown('first query after a start (thread)', 'ms', first),
      atMost(
        'chart query up to a month, worst range, p95',
        100,
        'ms',
        worst?.p95 ?? Number.NaN,
        `“${worst?.name}”`,
      ),
      atMost(`chart query of ${ROLLUP_DAYS} days, p95`, 250, 'ms', longest?.p95 ?? Number.NaN),
      ...kinds.map(({ name, p50, p95 }): Reading =>
        shown(`  ${name}, p95`, 'ms', p95, `p50 ${p50.toFixed(1)}`),
      ),
      shown('event loop of the main thread meanwhile, longest lag', 'ms', lag.max / 1e6),
    ];
  },
};

/** Samples of two days and rollups of a quarter, for some hosts. */
async function fill(scratch: Scratch) {
  const began = performance.now();
  const now = Math.floor(systemClock.now() / HOUR_MS) * HOUR_MS;
  const directory = scratch.directory();
  const history = openHistory(directory, { durable: false });
  let rows = 0;
  try {
    history.addHosts(HOSTS, 0);
    for (let host = 0; host < HOSTS; host += 1) {
      rows += addRollups(history, `host-${host}`, now);
      rows += addSamples(history, `host-${host}`, now);
    }
  } finally {
    await history.close();
  }
  return { path: `${directory}/drover.db`, now, rows, seconds: (performance.now() - began) / 1000 };
}

function addSamples(history: OpenHistory, hostId: string, now: number): number {
  let rows = 0;
  for (let hour = RAW_HOURS; hour > 0; hour -= 1) {
    const startAt = now - hour * HOUR_MS;
    const samples = realisticSamples({ gpus: CARDS, ticks: HOUR_TICKS, hostId, seed: hour, startAt });
    history.performance.take(hostId, { ...storedOf(samples), cursor: { newestAt: startAt, counters: null } });
    history.performance.flush();
    history.upkeep.rollUp({ hostId, hour: hourOf(startAt) });
    rows += samples.length;
  }
  return rows;
}

/** Rollups of the days before the samples, made from samples that are gone. */
function addRollups(history: OpenHistory, hostId: string, now: number): number {
  let rows = 0;
  for (let day = ROLLUP_DAYS; day > RAW_HOURS / 24; day -= 1) {
    const startAt = now - day * DAY_MS;
    const samples = realisticSamples({ gpus: CARDS, ticks: 24 * HOUR_TICKS, hostId, seed: day, startAt });
    const rollups = rollUpChunk(hostId, storedOf(samples));
    history.store.transact(() => history.store.rollups.put(rollups));
    rows += rollups.length;
  }
  return rows;
}
