import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type ActivityQuery, activityQuery } from '#shared/schemas/activity.ts';
import { SqliteHistoryQuery } from '../adapters/sqlite/history-query.ts';
import { type BenchPart, type Reading, atMost, shown } from './budget.ts';
import type { FilledHistory } from './fill-history.ts';
import { percentile } from './percentile.ts';

type Query = Partial<ActivityQuery>;

/** Queries of one kind; `at` tells them apart, so that none is asked twice. */
interface Case {
  readonly name: string;
  readonly query: (at: number) => Query;
}

const DAY_MS = 86_400_000;
const SAMPLES = 25;

/** `GET /api/activity` on weeks of history, through its own thread, as a route asks it. */
export const historyQueryBench: BenchPart = {
  name: 'store: history queries',
  async run(scratch) {
    const history = await scratch.history();
    const queries = new SqliteHistoryQuery(history.databasePath);
    scratch.onEnd(() => queries.stop());
    const lag = monitorEventLoopDelay({ resolution: 5 });
    const first = await timed(queries, { limit: 100, statusClass: '5xx' });
    lag.enable();
    const filters = await measure(queries, filterCases(history));
    const texts = await measure(queries, textCases(history));
    lag.disable();
    await queries.stop();
    const rows = `${(history.rows / 1e6).toFixed(1)}M rows, ${history.days} days, built in ${Math.round(history.seconds)} s`;
    return [
      shown('history behind the queries', 'rows', history.rows, history.shortfall ?? rows),
      shown('first query after a start (thread, facets)', 'ms', first),
      atMost('filter and page, worst kind, p95', 50, 'ms', filters.worst.p95, describe(filters)),
      ...filters.kinds.map(kindReading),
      atMost('text search, worst kind, p95', 50, 'ms', texts.worst.p95, describe(texts)),
      ...texts.kinds.map(kindReading),
      shown('event loop of the main thread meanwhile, longest lag', 'ms', lag.max / 1e6),
    ];
  },
};

function filterCases({ to, days, hosts }: FilledHistory): readonly Case[] {
  const dayAt = (at: number): Query => {
    const from = to - Math.floor(((at + 1) * days) / (SAMPLES + 1)) * DAY_MS;
    return { from, to: from + DAY_MS };
  };
  return [
    { name: 'newest page', query: (at) => ({ limit: 50 + at }) },
    { name: 'one host', query: (at) => ({ hostId: [`host-${at % hosts}`] }) },
    {
      name: 'one model',
      query: (at) => ({ modelId: [at % 2 ? 'org/chat-q4' : 'gpt-oss-120b'], limit: 50 + at }),
    },
    { name: 'failures', query: (at) => ({ statusClass: at % 2 ? '5xx' : '4xx', limit: 50 + at }) },
    { name: 'rare path', query: (at) => ({ path: '/v1/audio/speech', limit: 50 + at }) },
    {
      name: 'host, rare path and failure',
      query: (at) => ({ hostId: [`host-${at % hosts}`], path: '/infill', statusClass: '5xx' }),
    },
    { name: 'a past day', query: dayAt },
    {
      name: 'failures of a host on a past day',
      query: (at) => ({ ...dayAt(at), hostId: [`host-${at}`], statusClass: '5xx' }),
    },
    { name: 'nothing fits', query: (at) => ({ modelId: [`no-such-model-${at}`] }) },
  ];
}

function textCases({ rareText, to, days }: FilledHistory): readonly Case[] {
  return [
    { name: 'common text', query: (at) => ({ q: 'qwen', limit: 50 + at }) },
    { name: 'text of one row', query: (at) => ({ q: rareText, limit: 50 + at }) },
    { name: 'one character', query: (at) => ({ q: String.fromCharCode(97 + at) }) },
    { name: 'two characters', query: (at) => ({ q: `${at % 10}.` }) },
    { name: 'words of an error', query: (at) => ({ q: 'available context size', limit: 50 + at }) },
    { name: 'number in an error', query: (at) => ({ q: `request ${at}1` }) },
    {
      name: 'failing text far back',
      query: (at) => ({ q: 'exited prematurely', to: to - (days - 1) * DAY_MS + at * 60_000 }),
    },
    { name: 'missing text', query: (at) => ({ q: `zz-missing-${at}` }) },
  ];
}

interface Kind {
  readonly name: string;
  readonly p50: number;
  readonly p95: number;
}

interface Measured {
  readonly kinds: readonly Kind[];
  readonly worst: Kind;
}

async function measure(queries: SqliteHistoryQuery, cases: readonly Case[]): Promise<Measured> {
  const kinds: Kind[] = [];
  for (const { name, query } of cases) {
    const samples: number[] = [];
    for (let at = 0; at < SAMPLES; at += 1) samples.push(await timedPages(queries, query(at), samples));
    kinds.push({ name, p50: percentile(samples, 0.5), p95: percentile(samples, 0.95) });
  }
  const worst = kinds.toSorted((a, b) => b.p95 - a.p95)[0];
  if (!worst) throw new Error('no kind of query was measured');
  return { kinds, worst };
}

/** Asks for a page, and counts the page after it as a sample of its own where there is one. */
async function timedPages(queries: SqliteHistoryQuery, query: Query, samples: number[]): Promise<number> {
  const parsed = activityQuery.parse(query);
  const began = performance.now();
  const page = await queries.activity(parsed);
  const took = performance.now() - began;
  if (page.nextCursor !== null) samples.push(await timed(queries, { ...query, cursor: page.nextCursor }));
  return took;
}

async function timed(queries: SqliteHistoryQuery, query: Query): Promise<number> {
  const parsed = activityQuery.parse(query);
  const began = performance.now();
  await queries.activity(parsed);
  return performance.now() - began;
}

function describe({ kinds, worst }: Measured): string {
  return `“${worst.name}” of ${kinds.length} kinds, ${SAMPLES} queries and as many next pages each`;
}

function kindReading({ name, p50, p95 }: Kind): Reading {
  return shown(`  ${name}, p95`, 'ms', p95, `p50 ${p50.toFixed(1)}`);
}
