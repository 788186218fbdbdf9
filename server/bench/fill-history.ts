import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { ActivityRequest } from '#shared/schemas/activity.ts';
import { openStore } from '../adapters/sqlite/open-store.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { type OpenHistory, openHistory } from './open-history.ts';
import { syntheticTraffic } from './synthetic-traffic.ts';

/** A data folder that looks as if a collector had run for weeks, and stopped a moment ago. */
export interface FilledHistory {
  readonly dataDir: string;
  readonly databasePath: string;
  readonly rows: number;
  readonly days: number;
  readonly hosts: number;
  /** Time of the newest row. */
  readonly to: number;
  /** Text of the error of one row in the middle of it all, and of no other. */
  readonly rareText: string;
  readonly seconds: number;
  /** Set when less was built than the default, and why. */
  readonly shortfall: string | null;
}

/** How much history is wanted; null: as much as the default, if it can be built in time. */
export interface FillOptions {
  readonly rows: number | null;
  /** Rows of the running hour that go through the recorder, one flush for two rows. */
  readonly tailRows?: number;
}

/** The busiest fleet the documents are designed for: 50 hosts with 2,000 requests a day each. */
export const ROWS_PER_DAY = 100_000;
export const FLEET_HOSTS = 50;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DEFAULT_ROWS = 3_000_000;
const SMALLER_ROWS = 1_000_000;
const BUILD_LIMIT_S = 240;
const RARE_TEXT = 'ggml_abort: needle 7f3a';

/** Reads the wish from the environment; throws when it is no whole number of at least a day's rows. */
export function historyRows(text: string | undefined): FillOptions {
  if (text === undefined || text === '') return { rows: null };
  const rows = Number(text);
  if (!Number.isSafeInteger(rows) || rows < ROWS_PER_DAY)
    throw new Error(`DROVER_BENCH_ROWS must be a whole number of at least ${ROWS_PER_DAY}`);
  return { rows };
}

/**
 * Fills a data folder hour by hour with the product's own stores and its own sealer, so that segments, merges and
 * documents are what a collector of that age would hold. Rows go straight into SQLite, an hour in one transaction.
 */
export async function fillHistory(dataDir: string, options: FillOptions): Promise<FilledHistory> {
  const began = performance.now();
  if (options.rows === null) {
    const perSecond = await measureFillRate(dataDir);
    if (DEFAULT_ROWS / perSecond < BUILD_LIMIT_S) return fill(dataDir, DEFAULT_ROWS, { began });
    const shortfall = `${DEFAULT_ROWS / 1e6}M rows would take ${Math.round(DEFAULT_ROWS / perSecond)} s to build`;
    return fill(dataDir, SMALLER_ROWS, { began, shortfall });
  }
  const { tailRows } = options;
  return fill(dataDir, options.rows, { began, ...(tailRows === undefined ? {} : { tailRows }) });
}

async function measureFillRate(dataDir: string): Promise<number> {
  const probe = 2 * ROWS_PER_DAY;
  const { seconds } = await fill(join(dataDir, 'rate'), probe, { began: performance.now() });
  return probe / seconds;
}

async function fill(
  dataDir: string,
  rows: number,
  options: { readonly began: number; readonly shortfall?: string; readonly tailRows?: number },
): Promise<FilledHistory> {
  const now = Date.now();
  const days = rows / ROWS_PER_DAY;
  const databasePath = join(dataDir, 'drover.db');
  const history = openHistory(dataDir, { durable: false });
  try {
    history.addHosts(FLEET_HOSTS);
    // Rows come by end time, and a request ends in the hour it is received in.
    const shape = { hosts: FLEET_HOSTS, rows, from: now - days * DAY_MS, to: now, distinctErrors: 0.1 };
    const tailFrom = tailStart(now, rows, options.tailRows);
    let hour: ActivityRequest[] = [];
    let count = 0;
    for (const generated of syntheticTraffic(shape)) {
      const row = count === rows >> 1 ? { ...generated, status: 500, error: RARE_TEXT } : generated;
      count += 1;
      const [first] = hour;
      if (first && (hourOf(row.endedAt) !== hourOf(first.endedAt) || count === tailFrom)) {
        await insertHour(history, hour);
        hour = [];
      }
      if (count >= tailFrom) history.record([row], count % 2 === 0);
      else hour.push(row);
    }
    if (hour.length > 0) await insertHour(history, hour);
    history.record([], true);
    await untilSealed(history);
  } finally {
    await history.close();
  }
  checkpoint(databasePath);
  return {
    dataDir,
    databasePath,
    rows,
    days,
    hosts: FLEET_HOSTS,
    to: now,
    rareText: RARE_TEXT,
    seconds: (performance.now() - options.began) / 1000,
    shortfall: options.shortfall ?? null,
  };
}

/** Number of the first row that goes through the recorder: those of the running hour, or as many as wanted. */
function tailStart(now: number, rows: number, tailRows: number | undefined): number {
  const sinceHour = Math.floor(((now % HOUR_MS) / DAY_MS) * ROWS_PER_DAY);
  return rows - (tailRows ?? sinceHour) + 1;
}

async function insertHour(history: OpenHistory, rows: readonly ActivityRequest[]): Promise<void> {
  const receivedAt = rows.at(-1)?.endedAt ?? 0;
  history.store.transact(() => {
    const inserted = history.store.activity.insert(rows, receivedAt);
    if (!inserted) return;
    const { fromSeq, toSeq } = inserted;
    history.store.segments.place('activity', { fromSeq, toSeq, hour: hourOf(receivedAt) }, 'waiting');
  });
  history.sealer.noticeCommit();
  await setImmediate();
}

/** Waits until every row is in a segment or the tail, and no merge is due. */
async function untilSealed(history: OpenHistory): Promise<void> {
  const isWaiting = (): boolean => history.store.segments.openRanges('activity', 'waiting').length > 0;
  do {
    await setTimeout(50);
    await history.sealer.settled();
  } while (isWaiting());
  await history.sealer.settled();
}

/** A stopped collector leaves the log behind; a large one would make the first reader slow and no later one. */
function checkpoint(databasePath: string): void {
  const store = openStore(databasePath, { now: systemClock.now() });
  store.connection.pragma('wal_checkpoint(TRUNCATE)');
  store.close();
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS);
}
