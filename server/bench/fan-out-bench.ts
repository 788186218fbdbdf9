import { z } from 'zod';
import { type BenchPart, type Reading, atMost, shown } from './budget.ts';
import { startChild } from './child.ts';
import { percentile } from './percentile.ts';
import { usage } from './process-meter.ts';
import type { Scratch } from './scratch.ts';
import { type ViewersReport, startViewers } from './viewers.ts';

const CLIENTS = 500;
const DECODERS = 3;
const ROWS_PER_SECOND = 1000;
const WINDOW_MS = 6000;
/** Rounds of each, in turn, so that what else the machine does meets both. */
const ROUNDS = 2;

const where = z.object({ url: z.string(), key: z.string(), fleet: z.string(), tail: z.string() });
const load = usage.extend({ rows: z.number(), elapsedMs: z.number() });

interface Round extends z.infer<typeof load>, Omit<ViewersReport, 'rows'> {
  readonly delivered: number;
}

/** From an event in the collector to every one of 500 clients, beside a server that only broadcasts JSON. */
export const fanOutBench: BenchPart = {
  name: 'fan-out',
  async run(scratch) {
    const documents: Round[] = [];
    const raw: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      raw.push(await measure(scratch, new URL('./raw-json-child.ts', import.meta.url)));
      documents.push(await measure(scratch, new URL('./collector-child.ts', import.meta.url)));
    }
    const best = (rounds: readonly Round[], of: (round: Round) => number): number =>
      percentile(rounds.map(of), 0);
    const p95 = best(documents, (round) => round.p95);
    const rawP95 = best(raw, (round) => round.p95);
    const cpu = best(documents, (round) => round.cpuShare);
    const samples = `better of ${ROUNDS} rounds of ${WINDOW_MS / 1000} s, ${CLIENTS} clients in another process`;
    const lost = documents.reduce((sum, round) => sum + round.incomplete + round.rows - round.delivered, 0);
    return [
      atMost(
        'event → client p95, against raw JSON',
        1,
        '× raw JSON',
        p95 / rawP95,
        `${p95.toFixed(1)} ms against ${rawP95.toFixed(1)} ms; ${samples}`,
      ),
      atMost(
        'event → client p50',
        80,
        'ms',
        best(documents, (round) => round.p50),
        rawNote(raw, 'p50'),
      ),
      atMost('event → client p95', 130, 'ms', p95, rawNote(raw, 'p95')),
      shown(
        'event → client p99',
        'ms',
        best(documents, (round) => round.p99),
        rawNote(raw, 'p99'),
      ),
      atMost(
        'collector’s CPU at 1,000 rows/s',
        20,
        '% of a core',
        cpu * 100,
        `all threads, SQLite and sealing included; raw JSON ${(best(raw, (round) => round.cpuShare) * 100).toFixed(0)} %`,
      ),
      atMost(
        'collector’s memory at that load',
        120,
        'MB RSS',
        best(documents, (round) => round.rssMb),
        `raw JSON ${best(raw, (round) => round.rssMb).toFixed(0)} MB`,
      ),
      shown(
        'collector’s longest event-loop stall',
        'ms',
        best(documents, (round) => round.stallMs),
      ),
      bytesReading(documents, raw),
      atMost('rows or frames that a client did not get', 0.5, '', lost, `${ROUNDS} rounds, each row counted`),
    ];
  },
};

async function measure(scratch: Scratch, server: URL): Promise<Round> {
  const child = await startChild(scratch, server, { args: [scratch.directory()] });
  const viewers = await startViewers(scratch);
  try {
    const { url, key, tail } = await child.ask({ type: 'where' }, where);
    await viewers.connect({ url, key, document: tail, clients: CLIENTS, decoders: DECODERS });
    // Warm code, a tail that is neither new nor empty.
    await child.ask({ type: 'steady', rowsPerSecond: ROWS_PER_SECOND, durationMs: 2000 }, load);
    await viewers.settle();
    await viewers.mark();
    const used = await child.ask(
      { type: 'steady', rowsPerSecond: ROWS_PER_SECOND, durationMs: WINDOW_MS },
      load,
    );
    await viewers.settle();
    const { rows: delivered, ...seen } = await viewers.report();
    return { ...used, ...seen, delivered };
  } finally {
    await viewers.stop();
    await child.stop();
  }
}

function rawNote(raw: readonly Round[], of: 'p50' | 'p95' | 'p99'): string {
  return `raw JSON ${raw.map((round) => round[of].toFixed(1)).join(' and ')} ms`;
}

function bytesReading(documents: readonly Round[], raw: readonly Round[]): Reading {
  const perRow = ([round]: readonly Round[]): number =>
    round ? round.bytesPerClient / round.delivered : Number.NaN;
  return shown(
    'bytes a row and client',
    'B',
    perRow(documents),
    `raw JSON ${perRow(raw).toFixed(0)} B: ${(perRow(raw) / perRow(documents)).toFixed(1)} times as many`,
  );
}
