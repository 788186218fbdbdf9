import { gzipSync } from 'node:zlib';
import type { Response } from 'playwright';
import { z } from 'zod';
import { type BenchPart, atMost, shown } from '../budget.ts';
import { startProduct } from '../product.ts';
import { APP, firstPaint, openPage, openProfile } from './browser.ts';

const resources = z.array(z.object({ name: z.string(), startTime: z.number() }));

/** JavaScript that a new browser loads before the app draws its first page, by gzip; the frame before that needs none. */
export const firstLoadBench: BenchPart = {
  name: 'browser: first load',
  async run(scratch) {
    const product = await startProduct(scratch, { dataDir: scratch.directory(), metered: false });
    const context = await openProfile(scratch, product);
    try {
      const measured = await openPage(context, [APP]);
      const { page } = measured;
      const scripts = new Map<string, Promise<number>>();
      const keep = (response: Response): void => {
        if (!/\.m?js$/.test(new URL(response.url()).pathname)) return;
        scripts.set(
          response.url(),
          response.body().then((body) => gzipSync(body).byteLength),
        );
      };
      page.on('response', keep);
      await page.goto(product.url, { waitUntil: 'networkidle' });
      page.off('response', keep);
      const drawnAt = await measured.mark(APP.name, 10_000);
      const before = resources
        .parse(
          await page.evaluate(
            `performance.getEntriesByType('resource').map(({name, startTime}) => ({name, startTime}))`,
          ),
        )
        .filter(({ name, startTime }) => scripts.has(name) && startTime < drawnAt)
        .map(({ name }) => name);
      // The history worker begins beside it, in a thread of its own.
      const [own, inWorkers] = [false, true].map((isWorker) =>
        before.filter((name) => /\bworker\b/.test(name) === isWorker),
      );
      const sizeOf = async (urls: readonly string[]): Promise<number> =>
        (await Promise.all(urls.map((url) => scripts.get(url) ?? Promise.resolve(0)))).reduce(
          (a, b) => a + b,
          0,
        ) / 1000;
      return [
        atMost(
          'JavaScript loaded before the app draws',
          170,
          'kB gz',
          await sizeOf(own ?? []),
          `${own?.length} files that were asked for before it, first paint at ${(await firstPaint(page)).toFixed(0)} ms, the app’s at ${drawnAt.toFixed(0)} ms`,
        ),
        shown('  of a worker, before it too', 'kB gz', await sizeOf(inWorkers ?? [])),
        shown('  all JavaScript of the first page, workers too', 'kB gz', await sizeOf([...scripts.keys()])),
      ];
    } finally {
      await context.close();
      await product.stop();
    }
  },
};
