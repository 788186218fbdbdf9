import { setImmediate } from 'node:timers/promises';
import * as Y from 'yjs';
import type { ActivityRequest } from '#shared/schemas/activity.ts';
import { tailItems } from '#sync/tail-doc.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { modelRow } from '../testing/model-rows.ts';
import { type BenchPart, type Reading, atMost, shown } from './budget.ts';
import { type OpenHistory, openHistory } from './open-history.ts';
import { largest, percentile } from './percentile.ts';
import type { Scratch } from './scratch.ts';
import { syntheticTraffic } from './synthetic-traffic.ts';

const FLUSH_MS = 100;
const COMPACTIONS = 30;
/** Rows a second, and for how many simulated seconds. */
const RATES: readonly (readonly [number, number])[] = [
  [2, 3900],
  [50, 300],
  [500, 120],
  [5000, 20],
];

/** The tail's bound at every rate, and what a commit costs that stores whole documents anew. */
export const tailBench: BenchPart = {
  name: 'documents: tail and compaction',
  async run(scratch) {
    const peaks: TailPeak[] = [];
    for (const [rate, seconds] of RATES) peaks.push(await tailAt(scratch, rate, seconds));
    const byBytes = peaks.toSorted((a, b) => b.bytes - a.bytes)[0];
    const byItems = peaks.toSorted((a, b) => b.items - a.items)[0];
    const note = (peak: TailPeak | undefined): string =>
      `largest at ${peak?.rate} rows/s, encoded after every flush; ${RATES.map(([rate, seconds]) => `${rate}/s × ${seconds} s`).join(', ')} simulated`;
    return [
      atMost('tail document, any rate', 256, 'KB', (byBytes?.bytes ?? Number.NaN) / 1024, note(byBytes)),
      atMost('tail document, any rate', 5000, 'items', byItems?.items ?? Number.NaN, note(byItems)),
      shown(
        'rows that went past the tail at 5,000 rows/s',
        '%',
        (100 * (peaks.at(-1)?.past ?? 0)) / (peaks.at(-1)?.rows ?? 1),
        'sealed without passing through it; simulated time does not wait for seals, real time is kinder',
      ),
      ...(await compactions(scratch)),
    ];
  },
};

interface TailPeak {
  readonly rate: number;
  readonly bytes: number;
  readonly items: number;
  readonly rows: number;
  readonly past: number;
}

/** Drives recorder and sealer at a rate, in simulated time, and encodes the tail after each flush. */
async function tailAt(scratch: Scratch, rate: number, seconds: number): Promise<TailPeak> {
  const clock = new ManualClock();
  const history = openHistory(scratch.directory(), { clock, durable: false });
  history.addHosts(50);
  const from = clock.now();
  const rows = rate * seconds;
  let [bytes, items, past] = [0, 0, 0];
  let due: ActivityRequest[] = [];
  try {
    for (const row of syntheticTraffic({ hosts: 50, rows, from, to: from + seconds * 1000 })) {
      due.push(row);
      const perFlush = Math.max(1, (rate * FLUSH_MS) / 1000);
      if (due.length < perFlush) continue;
      const before = waitingRows(history);
      history.record(due, false);
      clock.advance((due.length * 1000) / rate);
      past += Math.max(0, waitingRows(history) - before);
      due = [];
      // Lets the seal under way come back from its thread.
      await setImmediate();
      const tail = history.docHost.tail();
      if (!tail) throw new Error('the store failed');
      bytes = Math.max(bytes, Y.encodeStateAsUpdate(tail).byteLength);
      items = Math.max(items, tailItems(tail).length);
    }
    return { rate, bytes, items, rows, past };
  } finally {
    await history.close();
  }
}

function waitingRows({ store }: OpenHistory): number {
  return store.segments
    .openRanges('activity', 'waiting')
    .reduce((sum, { fromSeq, toSeq }) => sum + toSeq - fromSeq + 1, 0);
}

/** A change in each document, as a compaction has in the product: unchanged documents are not written. */
async function timeCompactions({ recorder, docHost }: OpenHistory): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let sample = 0; sample < COMPACTIONS; sample += 1) {
    recorder.models('host-0', [modelRow({ hostId: 'host-0', modelId: `changed-${sample}` })]);
    recorder.flush();
    const began = performance.now();
    docHost.commit(() => undefined, { compact: ['fleet', 'tail'] });
    samples.push(performance.now() - began);
    await setImmediate();
  }
  return samples;
}

/** Commits that write both documents whole: a fleet of 200 × 20 and a full tail. */
async function compactions(scratch: Scratch): Promise<readonly Reading[]> {
  const clock = new ManualClock();
  const history = openHistory(scratch.directory(), { clock, durable: true });
  try {
    history.addHosts(200, 20);
    const now = clock.now();
    const rows = [...syntheticTraffic({ hosts: 50, rows: 3900, from: now, to: now })];
    history.store.connection.pragma('synchronous = OFF');
    for (const row of rows) history.record([row], true);
    const computing = await timeCompactions(history);
    history.store.connection.pragma('synchronous = FULL');
    const samples = await timeCompactions(history);
    const { fleet, tail } = history.docHost.names();
    const kilobytes = [fleet, tail].map((name) => {
      const document = history.docHost.open(name);
      return document ? Math.round(Y.encodeStateAsUpdate(document.doc).byteLength / 1024) : 0;
    });
    const what = `${COMPACTIONS} commits; fleet of 200 × 20 with ${kilobytes[0]} KB, tail of ${kilobytes[1]} KB`;
    return [
      atMost('compaction of both documents, p95', 25, 'ms', percentile(samples, 0.95), what),
      shown(
        '  median and largest',
        'ms',
        percentile(samples, 0.5),
        `largest ${largest(samples).toFixed(0)} ms`,
      ),
      shown('  p95 without waiting for the disk', 'ms', percentile(computing, 0.95)),
    ];
  } finally {
    await history.close();
  }
}
