import type { BrowserContext, Page } from 'playwright';
import { z } from 'zod';

const event = z.object({
  name: z.string(),
  ph: z.string(),
  pid: z.number(),
  tid: z.number(),
  dur: z.number().optional(),
  tdur: z.number().optional(),
  args: z.object({ name: z.string().optional() }).optional(),
});
const trace = z.object({ traceEvents: z.array(z.unknown()) });

/** Durations in ms of every task that the page's main thread ran during `work`, longest first. */
export async function tracedTasks(
  context: BrowserContext,
  page: Page,
  work: () => Promise<void>,
): Promise<readonly number[]> {
  const tasks = await traced(context, page, work);
  return tasks.map(({ wallMs }) => wallMs).sort((a, b) => b - a);
}

/**
 * What every task took of the main thread's own time, in ms, longest first: without the time in which other processes had
 * the core, but with all that a throttle adds.
 */
export async function tracedThreadTimes(
  context: BrowserContext,
  page: Page,
  work: () => Promise<void>,
): Promise<readonly number[]> {
  const tasks = await traced(context, page, work);
  return tasks.flatMap(({ threadMs }) => threadMs ?? []).sort((a, b) => b - a);
}

interface Task {
  readonly wallMs: number;
  /** Null for a task that the browser did not time so. */
  readonly threadMs: number | null;
}

async function traced(
  context: BrowserContext,
  page: Page,
  work: () => Promise<void>,
): Promise<readonly Task[]> {
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
    events.flatMap((entry): Task | readonly Task[] =>
      entry.pid === pid && entry.tid === tid && entry.name === 'RunTask'
        ? { wallMs: (entry.dur ?? 0) / 1000, threadMs: entry.tdur === undefined ? null : entry.tdur / 1000 }
        : [],
    ),
  );
  // The page that worked is the renderer that ran most.
  const sum = (of: readonly Task[]): number => of.reduce((ms, { wallMs }) => ms + wallMs, 0);
  return tasks.toSorted((a, b) => sum(b) - sum(a))[0] ?? [];
}
