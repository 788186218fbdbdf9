import { z } from 'zod';
import { type BenchPart, atMost, shown } from './budget.ts';
import { eagerSegments } from './eager-segments.ts';
import { ROWS_PER_DAY, fillHistory } from './fill-history.ts';
import { percentile } from './percentile.ts';
import type { Usage } from './process-meter.ts';
import { type Product, startProduct } from './product.ts';
import { type Viewers, type herdReport, startViewers } from './viewers.ts';

const CLIENTS = 100;
const ROUNDS = 3;
/** As full as a tail gets before it is sealed. */
const TAIL_ROWS = 3900;

const info = z.object({ documents: z.object({ fleet: z.string(), tail: z.string() }) });

/** A hundred devices without a copy that all come at once, as after a change of generation. */
export const herdBench: BenchPart = {
  name: 'herd',
  async run(scratch) {
    const history = await fillHistory(scratch.directory(), { rows: ROWS_PER_DAY, tailRows: TAIL_ROWS });
    const segments = eagerSegments(history.databasePath);
    const product = await startProduct(scratch, { dataDir: history.dataDir, metered: true });
    const viewers = await startViewers(scratch);
    try {
      const { documents } = await product.get('/api/info', info);
      const names = [documents.fleet, documents.tail];
      const sockets = await rounds({ product, viewers, documents: names, segments: [] });
      const whole = await rounds({ product, viewers, documents: names, segments });
      const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
      return [
        atMost(
          'event-loop stall, 100 cold clients, both documents',
          100,
          'ms',
          sockets.stallMs,
          `median of ${ROUNDS} rounds on the real server, from inside it; ${megabytes(sockets.bytes)} sent`,
        ),
        shown('  median and last client done', 'ms', sockets.p50, `last ${sockets.last.toFixed(0)} ms`),
        atMost(
          'event-loop stall, the same and all segments of 24 h',
          100,
          'ms',
          whole.stallMs,
          `${segments.length} segments over HTTP, four at a time each; ${megabytes(whole.bytes)} sent`,
        ),
        shown('  median and last client done', 'ms', whole.p50, `last ${whole.last.toFixed(0)} ms`),
        shown('server’s memory after it', 'MB RSS', whole.rssMb),
      ];
    } finally {
      await viewers.stop();
      await product.stop();
    }
  },
};

async function rounds(herd: {
  readonly product: Product;
  readonly viewers: Viewers;
  readonly documents: readonly string[];
  readonly segments: readonly string[];
}) {
  const { product, viewers, documents, segments } = herd;
  const { url, key } = product;
  const samples: (z.infer<typeof herdReport> & Usage)[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await product.resetMeter();
    const report = await viewers.herd({
      url,
      key,
      documents: [...documents],
      segments: [...segments],
      clients: CLIENTS,
    });
    samples.push({ ...report, ...(await product.readMeter()) });
  }
  const median = (of: (sample: (typeof samples)[number]) => number): number =>
    percentile(samples.map(of), 0.5);
  return {
    stallMs: median(({ stallMs }) => stallMs),
    rssMb: median(({ rssMb }) => rssMb),
    p50: median(({ p50 }) => p50),
    last: median(({ last }) => last),
    bytes: median(({ bytes }) => bytes),
  };
}
