import { z } from 'zod';
import { type BenchPart, atLeast, atMost, shown } from './budget.ts';
import { startChild } from './child.ts';
import { usage } from './process-meter.ts';
import { startViewers } from './viewers.ts';

const DURATION_MS = 12_000;
/** Ten flushes a second of this size are the rate asked for. */
const ROWS_PER_FLUSH = 500;

const where = z.object({ url: z.string(), key: z.string(), fleet: z.string(), tail: z.string() });
const load = usage.extend({ rows: z.number(), elapsedMs: z.number() });
const totals = z.object({ offered: z.number(), stored: z.number(), sealed: z.number(), inTail: z.number() });

/** Rows a second that are committed (`synchronous=FULL`), put into the documents, sealed, and received by a client. */
export const ingestBench: BenchPart = {
  name: 'store: ingest with publish',
  async run(scratch) {
    const collector = await startChild(scratch, new URL('./collector-child.ts', import.meta.url), {
      args: [scratch.directory()],
    });
    const viewers = await startViewers(scratch);
    try {
      const server = await collector.ask({ type: 'where' }, where);
      await viewers.connect({ ...server, document: server.tail, clients: 1, decoders: 1 });
      await viewers.mark();
      const measured = await collector.ask(
        { type: 'saturate', rowsPerFlush: ROWS_PER_FLUSH, durationMs: DURATION_MS },
        load,
      );
      const kept = await collector.ask({ type: 'totals' }, totals);
      if (kept.stored !== kept.offered || kept.sealed + kept.inTail !== kept.offered)
        throw new Error(`rows are missing: ${JSON.stringify(kept)}`);
      const received = await viewers.report();
      const perSecond = measured.rows / (measured.elapsedMs / 1000);
      return [
        atLeast(
          'ingest with publish',
          5000,
          'rows/s',
          perSecond,
          `${measured.rows} rows in ${(measured.elapsedMs / 1000).toFixed(0)} s, ${ROWS_PER_FLUSH} a commit, as fast as it goes; every row found again in tail or segments`,
        ),
        shown(
          'rows the subscriber got from the tail',
          '% of rows',
          (100 * received.rows) / measured.rows,
          'the rest reaches it as segments: the tail is bounded',
        ),
        shown('event loop of the collector meanwhile, longest stall', 'ms', measured.stallMs),
        atMost('collector’s CPU at full speed', 2, 'cores', measured.cpuShare, 'two threads'),
      ];
    } finally {
      await viewers.stop();
      await collector.stop();
    }
  },
};
