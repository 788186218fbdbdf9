import { setTimeout } from 'node:timers/promises';
import type { BrowserContext } from 'playwright';
import { z } from 'zod';
import { type BenchPart, type Reading, atMost } from '../budget.ts';
import { ROWS_PER_DAY } from '../fill-history.ts';
import { startProduct } from '../product.ts';
import { type MeasuredPage, type Watch, openPage, openProfile } from './browser.ts';
import { untilQuiet } from './fetched-segments.ts';
import { tracedThreadTimes } from './main-thread-trace.ts';

const RATE = 6;
const LONG_TASK_MS = 50;
const LIST = '[role="grid"]';
const SCROLLER = 'div:has(> [role="grid"])';
const SCROLL_MS = 10_000;
const WAIT_MS = 120_000;
const DAYS_BACK = 3;
const DAY: Watch = {
  name: 'a day',
  selector: LIST,
  attribute: 'aria-rowcount',
  // Rows of the running hour may be on their way still.
  atLeast: ROWS_PER_DAY * 0.985,
};

/** A device that holds weeks of history, at a phone's speed: what a person does with it, and its longest tasks. */
export const monthBench: BenchPart = {
  name: 'browser: a month of history',
  async run(scratch) {
    const history = await scratch.history();
    const product = await startProduct(scratch, { dataDir: history.dataDir, metered: false });
    const context = await openProfile(scratch, product);
    try {
      const first = await openPage(context, [DAY]);
      await first.page.goto(`${product.url}/activity`);
      await first.mark(DAY.name, WAIT_MS);
      await untilQuiet(first.page);
      await first.page.close();
      const where = {
        url: `${product.url}/activity`,
        daysBack: Math.min(DAYS_BACK, Math.floor(history.days) - 1),
      };
      // A throttle also counts the time in which other processes had the core: the same without one stands beside.
      const own = await useIt(context, { ...where, rate: 1 });
      const slow = await useIt(context, { ...where, rate: RATE });
      const about = `${(history.rows / 1e6).toFixed(1)}M rows`;
      return slow.map(({ name, tasks }, step): Reading => {
        const long = tasks.filter((task) => task > LONG_TASK_MS).length;
        const ownMs = own[step]?.tasks[0] ?? Number.NaN;
        return atMost(
          `${name}, longest task, ${RATE}×`,
          LONG_TASK_MS,
          'ms CPU',
          tasks[0] ?? Number.NaN,
          `${about}; ${long} of ${tasks.length} tasks over ${LONG_TASK_MS} ms; ${ownMs.toFixed(1)} ms at 1×`,
        );
      });
    } finally {
      await context.close();
      await product.stop();
    }
  },
};

interface Use {
  readonly url: string;
  readonly daysBack: number;
  readonly rate: number;
}

interface Step {
  readonly name: string;
  /** Longest first. */
  readonly tasks: readonly number[];
}

/** Opens the list in a new page and does what a person would; returns the main thread's own time of each task. */
async function useIt(context: BrowserContext, { url, daysBack, rate }: Use): Promise<readonly Step[]> {
  const measured = await openPage(context, [DAY]);
  const { page } = measured;
  const failures = page.getByRole('button', { name: /^Failures/ });
  const steps: readonly (readonly [name: string, work: () => Promise<unknown>])[] = [
    [
      'opens',
      async () => {
        await page.goto(url);
        await measured.mark(DAY.name, WAIT_MS);
      },
    ],
    [
      'scrolls through the last day',
      () => page.evaluate(`globalThis.droverProbe.scroll(${JSON.stringify(SCROLLER)}, ${SCROLL_MS})`),
    ],
    [
      'filters failures, and shows all again',
      async () => {
        await failures.click();
        await untilRows(measured, (rows) => rows < ROWS_PER_DAY / 2);
        await failures.click();
        await untilRows(measured, (rows) => rows > ROWS_PER_DAY / 2);
      },
    ],
    [
      'filters by a text, typed',
      async () => {
        await page.getByRole('button', { name: /^Filter: model/ }).click();
        await page.getByRole('searchbox').pressSequentially('context size', { delay: 60 });
        await page.getByRole('button', { name: 'Show' }).click();
        await untilRows(measured, (rows) => rows < ROWS_PER_DAY / 2);
        await page
          .getByRole('button', { name: /^Clear/ })
          .first()
          .click();
        await untilRows(measured, (rows) => rows > ROWS_PER_DAY / 2);
      },
    ],
    [
      `goes ${daysBack} days back`,
      async () => {
        const earlier = page.getByRole('button', { name: 'Earlier day' });
        for (let day = 0; day < daysBack; day += 1) {
          await earlier.click();
          await page.waitForURL(/day=/);
          await untilRows(measured, (rows) => rows > ROWS_PER_DAY / 4);
        }
      },
    ],
  ];
  const done: Step[] = [];
  await measured.throttle(rate);
  // A history of one day has none before it.
  for (const [name, work] of steps.slice(0, daysBack > 0 ? steps.length : -1)) {
    done.push({ name, tasks: await tracedThreadTimes(context, page, async () => void (await work())) });
  }
  await page.close();
  return done;
}

/** Waits until the list has as many rows as wanted, for two looks in a row. */
async function untilRows({ page }: MeasuredPage, isEnough: (rows: number) => boolean): Promise<void> {
  const until = performance.now() + WAIT_MS;
  for (let good = 0; good < 2;) {
    if (performance.now() > until) throw new Error('the list did not come to the rows that were waited for');
    await setTimeout(150);
    const rows = z.coerce.number().parse(await page.getAttribute(LIST, 'aria-rowcount'));
    good = isEnough(rows) ? good + 1 : 0;
  }
}
