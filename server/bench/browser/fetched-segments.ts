import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright';
import { z } from 'zod';
import { largest } from '../percentile.ts';

const fetched = z.array(z.object({ hash: z.string(), bytes: z.number(), at: z.number() }));

/** Segments that the history worker has fetched, with the time its page counts. */
export async function segmentsFetched(page: Page): Promise<z.infer<typeof fetched>> {
  const all = [];
  for (const worker of page.workers()) {
    const found = await worker.evaluate(`performance.getEntriesByType('resource')
      .filter(({ name }) => name.includes('/api/segments/'))
      .map(({ name, encodedBodySize, responseEnd }) => ({ hash: name.split('/').at(-1), bytes: encodedBodySize, at: responseEnd + performance.timeOrigin }))`);
    all.push(...fetched.parse(found));
  }
  const origin = z.number().parse(await page.evaluate('performance.timeOrigin'));
  return all.map(({ hash, bytes, at }) => ({ hash, bytes, at: at - origin }));
}

/** Waits until no segment has come for a while; returns the seconds to the last one. */
export async function untilQuiet(page: Page): Promise<number> {
  let before = -1;
  for (;;) {
    const segments = await segmentsFetched(page);
    if (segments.length === before) return largest(segments.map(({ at }) => at)) / 1000;
    before = segments.length;
    await setTimeout(3000);
  }
}
