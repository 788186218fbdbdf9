import type { BrowserContext, Page } from 'playwright';
import { z } from 'zod';

const event = z.object({
  name: z.string(),
  ph: z.string(),
  pid: z.number(),
  tid: z.number(),
  dur: z.number().optional(),
  args: z.object({ name: z.string().optional() }).optional(),
});
const trace = z.object({ traceEvents: z.array(z.unknown()) });

/** Durations in ms of every task that the page's main thread ran during `work`, longest first. */
export async function tracedTasks(
  context: BrowserContext,
  page: Page,
  work: () => Promise<void>,
): Promise<readonly number[]> {
  const browser = context.browser();
  if (!browser) throw new Error('the profile has no browser to trace');
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  await work();
  const bytes = await browser.stopTracing();
  const events = trace
    .parse(JSON.parse(bytes.toString()))
    .traceEvents.flatMap((raw) => event.safeParse(raw).data ?? []);
  const threads = events.filter(
    ({ name, ph, args }) => ph === 'M' && name === 'thread_name' && args?.name === 'CrRendererMain',
  );
  const tasks = threads.map(({ pid, tid }) =>
    events.flatMap((entry) =>
      entry.pid === pid && entry.tid === tid && entry.name === 'RunTask' ? [(entry.dur ?? 0) / 1000] : [],
    ),
  );
  // The page that worked is the renderer that ran most.
  const sum = (durations: readonly number[]): number => durations.reduce((a, b) => a + b, 0);
  const busiest = tasks.toSorted((a, b) => sum(b) - sum(a))[0] ?? [];
  return busiest.toSorted((a, b) => b - a);
}
