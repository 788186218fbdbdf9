import { z } from 'zod';
import { type BenchPart, type Reading, atMost, shown } from '../budget.ts';
import { eagerSegments } from '../eager-segments.ts';
import { ROWS_PER_DAY } from '../fill-history.ts';
import { largest } from '../percentile.ts';
import { type Product, startProduct } from '../product.ts';
import type { Scratch } from '../scratch.ts';
import { APP, type MeasuredPage, type Watch, firstPaint, openPage, openProfile } from './browser.ts';
import { segmentsFetched, untilQuiet } from './fetched-segments.ts';
import { tracedTasks } from './main-thread-trace.ts';

const LIST = '[role="grid"]';
const SCROLLER = 'div:has(> [role="grid"])';
const SCROLL_MS = 10_000;
const WAIT_MS = 120_000;
/** Rows of the running hour may be on their way still: the last hundredth is not waited for. */
const ENOUGH = 0.985;

const WATCHES: readonly Watch[] = [
  APP,
  { name: 'first row', selector: '[id^="row-"]' },
  { name: 'a day', selector: LIST, attribute: 'aria-rowcount', atLeast: ROWS_PER_DAY * ENOUGH },
];

/** A new device on weeks of history: the last day at a phone's speed, a scroll through it, and the whole replica. */
export const replicaBench: BenchPart = {
  name: 'browser: replica',
  async run(scratch) {
    const history = await scratch.history();
    const eager = new Set(eagerSegments(history.databasePath));
    const product = await startProduct(scratch, { dataDir: history.dataDir, metered: false });
    try {
      return [
        ...(await coldStart(scratch, product, { rate: 6, eager })),
        ...(await coldStart(scratch, product, { rate: 1, eager })),
        ...(await wholeReplica(scratch, product, history.rows)),
      ];
    } finally {
      await product.stop();
    }
  },
};

/** From an empty browser profile to the last 24 h in the list. */
async function coldStart(
  scratch: Scratch,
  product: Product,
  { rate, eager }: { readonly rate: number; readonly eager: ReadonlySet<string> },
): Promise<readonly Reading[]> {
  const context = await openProfile(scratch, product);
  try {
    const measured = await openPage(context, WATCHES);
    const { page } = measured;
    let socketBytes = 0;
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => {
        socketBytes += payload.length;
      });
    });
    await measured.throttle(rate);
    await page.goto(`${product.url}/activity`);
    const all = await measured.mark('a day', WAIT_MS);
    const paint = await firstPaint(page);
    const segments = (await segmentsFetched(page)).filter(({ hash }) => eager.has(hash));
    const segmentBytes = segments.reduce((sum, { bytes }) => sum + bytes, 0);
    await measured.throttle(1);
    if (rate === 1) return [shown('  the same at 1×', 'ms', all, `first paint ${paint.toFixed(0)} ms`)];
    const megabytes = (bytes: number): number => bytes / 1_000_000;
    return [
      atMost(
        `cold start to 24 h / 100,000 rows, ${rate}×`,
        900,
        'ms',
        all,
        'empty profile, from the navigation to the list with all rows painted; Chromium throttles the main thread only, not the worker',
      ),
      atMost(`  its first paint, the frame, ${rate}×`, 500, 'ms', paint),
      shown('  first paint of the app', 'ms', await measured.mark(APP.name, WAIT_MS)),
      shown('  its first row', 'ms', await measured.mark('first row', WAIT_MS)),
      atMost(
        '  data received for it',
        1.6,
        'MB',
        megabytes(segmentBytes + socketBytes),
        `documents ${megabytes(socketBytes).toFixed(2)} MB, ${segments.length} segments ${megabytes(segmentBytes).toFixed(2)} MB, without the app itself`,
      ),
    ];
  } finally {
    await context.close();
  }
}

/** Everything the collector offers, fetched in the background; then a scroll through the last day. */
async function wholeReplica(scratch: Scratch, product: Product, rows: number): Promise<readonly Reading[]> {
  const context = await openProfile(scratch, product);
  try {
    const measured = await openPage(context, WATCHES);
    const { page } = measured;
    let seconds = 0;
    const tasks = await tracedTasks(context, page, async () => {
      await page.goto(`${product.url}/activity`);
      await measured.mark('a day', WAIT_MS);
      seconds = await untilQuiet(page);
    });
    const segments = await segmentsFetched(page);
    const bytes = segments.reduce((sum, entry) => sum + entry.bytes, 0);
    const limit = (45 * rows) / 3_000_000;
    return [
      atMost(
        `replica of ${(rows / 1e6).toFixed(1)}M rows`,
        limit,
        'MB',
        bytes / 1_000_000,
        `${segments.length} segments in ${seconds.toFixed(1)} s at 1×; the budget is 45 MB for 3M rows`,
      ),
      atMost(
        'longest task of the main thread meanwhile, 1×',
        50,
        'ms',
        tasks[0] ?? Number.NaN,
        `start of the page included; ${tasks.filter((task) => task > 50).length} over 50 ms of ${tasks.length}`,
      ),
      ...(await scrolls(measured, (work) => tracedTasks(context, page, work))),
    ];
  } finally {
    await context.close();
  }
}

async function scrolls(
  measured: MeasuredPage,
  trace: (work: () => Promise<void>) => Promise<readonly number[]>,
): Promise<readonly Reading[]> {
  const { page } = measured;
  const readings: Reading[] = [];
  const rows = Number(await page.getAttribute(LIST, 'aria-rowcount')) - 1;
  for (const rate of [1, 4]) {
    await measured.throttle(rate);
    let frames = 0;
    const tasks = await trace(async () => {
      frames = z
        .number()
        .parse(
          await page.evaluate(`globalThis.droverProbe.scroll(${JSON.stringify(SCROLLER)}, ${SCROLL_MS})`),
        );
    });
    await measured.throttle(1);
    const name = `scroll over ${rows.toLocaleString('en')} rows, longest task, ${rate}×`;
    const note = `top to bottom in ${SCROLL_MS / 1000} s, ${frames} frames, ${tasks.filter((task) => task > 50).length} tasks over 50 ms`;
    readings.push(
      rate === 1 ? atMost(name, 50, 'ms', largest(tasks), note) : shown(name, 'ms', largest(tasks), note),
    );
  }
  return readings;
}
