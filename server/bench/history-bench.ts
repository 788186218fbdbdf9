import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as Y from 'yjs';
import { activityQuery } from '#shared/schemas/activity.ts';
import type { ActivityPage, ActivityRow } from '#shared/schemas/activity.ts';
import { must } from '#shared/lib/assert.ts';
import { tailSize } from '#sync/tail-codec.ts';
import { SqliteHistoryQuery } from '../adapters/sqlite/history-query.ts';
import { openStore } from '../adapters/sqlite/open-store.ts';
import type { SqliteStore } from '../adapters/sqlite/open-store.ts';
import { SqliteSegmentBuilder } from '../adapters/sqlite/segment-builder.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { createHistory } from '../services/history.ts';
import { hostConfig } from '../testing/host-config.ts';
import { silentLog } from '../testing/silent-log.ts';
import { type BenchPart, type Reading, atLeast, atMost } from './budget.ts';
import { syntheticTraffic } from './synthetic-traffic.ts';

const DAY_MS = 86_400_000;
const FROM = Date.UTC(2026, 10, 1);
const INGEST_ROWS = 100_000;
/** The full budget is measured with `DROVER_BENCH_ROWS=3000000`, which takes some minutes to fill. */
const SEARCH_ROWS = Number(process.env['DROVER_BENCH_ROWS'] ?? 300_000);
/** Rows of one call of a connector, and of one insert while the search's database is filled. */
const CALL_ROWS = 250;
const FILL_ROWS = 20_000;

/** What the store takes in, and how soon it finds it again. */
export const historyBench: BenchPart = {
  name: 'history',
  async run() {
    return [...(await inStore(ingest)), ...(await inStore(search))];
  },
};

async function inStore(
  measure: (store: SqliteStore) => Promise<readonly Reading[]>,
): Promise<readonly Reading[]> {
  const directory = await mkdtemp(join(tmpdir(), 'drover-bench-'));
  const store = openStore(join(directory, 'drover.db'), { now: FROM });
  try {
    return await measure(store);
  } finally {
    store.close();
    await rm(directory, { recursive: true });
  }
}

/** As fast as rows can be taken, with commits, documents and seals. */
async function ingest(store: SqliteStore): Promise<readonly Reading[]> {
  const builder = new SqliteSegmentBuilder(store.connection.path);
  const days = { activity: 365, 'model-events': 365 };
  const live = { inFlight: () => undefined, seen: () => undefined };
  const history = createHistory({ store, builder, live, days, clock: systemClock, log: silentLog() });
  history.start();
  const rows = [...syntheticTraffic({ hosts: 50, rows: INGEST_ROWS, from: FROM, to: FROM + DAY_MS })];
  for (const id of new Set(rows.map(({ hostId }) => hostId)))
    history.registry.insertHost(hostConfig(id), FROM);
  let largestTail = 0;
  const start = performance.now();
  for (let at = 0; at < rows.length; at += CALL_ROWS) {
    history.recorder.activity('', rows.slice(at, at + CALL_ROWS));
    if (at % (4 * CALL_ROWS) === 0) history.recorder.flush();
    largestTail = Math.max(largestTail, tailSize(must(history.docHost.tail(), 'the tail')).bytes);
    await setImmediate();
  }
  history.recorder.flushRows();
  const seconds = (performance.now() - start) / 1000;
  const beforeCompaction = performance.now();
  Y.encodeStateAsUpdate(must(history.docHost.tail(), 'the tail'));
  const compactionMs = performance.now() - beforeCompaction;
  await history.sealer.settled();
  await history.stop();
  await builder.stop();
  return [
    atLeast(
      'rows taken in, committed and published',
      5000,
      'rows/s',
      rows.length / seconds,
      `${INGEST_ROWS} rows`,
    ),
    atMost('tail document while they come', 256, 'KB', largestTail / 1024),
    atMost('compaction of the tail', 25, 'ms', compactionMs),
  ];
}

/** Filters and pages as people ask for them, through the thread that answers them. */
async function search(store: SqliteStore): Promise<readonly Reading[]> {
  store.connection.pragma('synchronous = OFF');
  const days = Math.max(1, Math.round(SEARCH_ROWS / 100_000));
  let batch: ActivityRow[] = [];
  const insert = (rows: readonly ActivityRow[]): void =>
    void store.transact(() => store.activity.insert(rows, FROM));
  for (const row of syntheticTraffic({
    hosts: 50,
    rows: SEARCH_ROWS,
    from: FROM,
    to: FROM + days * DAY_MS,
  })) {
    batch.push(row);
    if (batch.length < FILL_ROWS) continue;
    insert(batch);
    batch = [];
  }
  insert(batch);
  const history = new SqliteHistoryQuery(store.connection.path);
  await history.activity(activityQuery.parse({ q: 'starts the thread' }));
  const filters: Readonly<Record<string, string | number>>[] = [
    {},
    { hostId: 'host-7' },
    { statusClass: '5xx' },
    { path: '/v1/embeddings' },
    { from: FROM, to: FROM + DAY_MS / 2, statusClass: '4xx' },
  ];
  const texts = ['e', 'qw', 'embed', 'timeout', 'no such text anywhere'].map((q) => ({ q }));
  const note = `${SEARCH_ROWS.toLocaleString('en')} rows`;
  const filtered = await pageTimes(history, filters);
  const searched = await pageTimes(history, texts);
  await history.stop();
  return [
    atMost('a filter and its pages, p95', 50, 'ms', percentile95(filtered), note),
    atMost('a text and its pages, p95', 50, 'ms', percentile95(searched), note),
  ];
}

async function pageTimes(
  history: SqliteHistoryQuery,
  filters: readonly Readonly<Record<string, string | number>>[],
): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    for (const filter of filters) {
      let page: ActivityPage | null = null;
      for (let pages = 0; pages < 3; pages += 1) {
        const cursor = page?.nextCursor;
        if (cursor === null) break;
        const query = activityQuery.parse(cursor === undefined ? filter : { ...filter, cursor });
        const start = performance.now();
        page = await history.activity(query);
        times.push(performance.now() - start);
      }
    }
  }
  return times;
}

function percentile95(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
}
