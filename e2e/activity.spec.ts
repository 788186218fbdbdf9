import type { Page } from 'playwright/test';
import { fillHistory } from '../server/bench/fill-history.ts';
import { addHost, command, expect, pair, startDemo, test } from './fixtures.ts';
import { ActivityPage } from './page-models/activity-page.ts';
import { Inspector } from './page-models/inspector.ts';
import { AppFrame } from './page-models/app-frame.ts';

/** What a browser calls a long task. */
const LONG_TASK_MS = 50;

test.beforeEach(async ({ context, drover }) => {
  await pair(context.request, drover);
});

test('filters stand in the address, survive a reload and say what they keep @laptop', async ({
  page,
  context,
  drover,
}) => {
  const [first, second] = await Promise.all([drover.emulator(), drover.emulator(['--era', 'main'])]);
  await addHost(context.request, drover, { id: 'bluefin', url: first.url });
  await addHost(context.request, drover, { id: 'heron', url: second.url });
  await page.goto(`${drover.origin}/activity`);
  const activity = new ActivityPage(page);
  await command(context.request, first, 'activity', { count: 4 });
  await command(context.request, first, 'activity', { count: 2, model: 'demo-2' });
  await command(context.request, second, 'activity', { count: 3, status: 500, error: 'slot unavailable' });
  await expect(activity.counts).toContainText('9 requests · 3 failed');

  await activity.failures.click();
  await expect(page).toHaveURL(/failures=true/);
  await expect(activity.rows).toHaveCount(3);
  await expect(activity.rows.first()).toContainText('slot unavailable');
  await page.reload();
  await expect(activity.failures).toHaveAttribute('aria-pressed', 'true');
  await expect(activity.rows).toHaveCount(3);
  await activity.failures.click();

  await activity.choose('host', 'bluefin');
  await expect(activity.counts).toContainText('6 requests · 0 failed');
  await activity.choose('model', 'demo-2');
  await expect(activity.rows).toHaveCount(2);
  await expect(page).toHaveURL(/host=.*bluefin.*model=.*demo-2/);
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(activity.counts).toContainText('9 requests');
});

test('a part of a text finds rows; nothing found offers the way back', async ({ page, context, drover }) => {
  const emulator = await drover.emulator();
  await addHost(context.request, drover, { id: 'heron', url: emulator.url });
  await command(context.request, emulator, 'activity', { count: 4 });
  await command(context.request, emulator, 'activity', { count: 3, status: 500, error: 'slot unavailable' });
  await page.goto(`${drover.origin}/activity`);
  const activity = new ActivityPage(page);
  await expect(activity.counts).toContainText('7 requests · 3 failed');
  await activity.searchFor('SLOT UNAV');
  await expect(activity.rows).toHaveCount(3);
  await activity.searchFor('nothing of the kind');
  await expect(page.getByText('Nothing matches.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(activity.rows).toHaveCount(7);
});

test('new rows wait above while somebody reads @laptop', async ({ page, context, drover }) => {
  const emulator = await drover.emulator();
  await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
  await command(context.request, emulator, 'activity', { count: 80 });
  await page.goto(`${drover.origin}/activity`);
  const activity = new ActivityPage(page);
  await expect(activity.counts).toContainText('80 requests');
  await command(context.request, emulator, 'activity', { count: 1, model: 'demo-2' });
  await expect(activity.rows.first()).toContainText('demo-2');

  await activity.scrollTo(600);
  await expect(activity.rows.first()).not.toContainText('demo-2');
  const place = await activity.rows.nth(8).boundingBox();
  await command(context.request, emulator, 'activity', { count: 14, model: 'demo-3' });
  await expect(activity.waiting).toHaveText('14 new');
  expect(await activity.rows.nth(8).boundingBox(), 'nothing moves under the finger').toEqual(place);
  await activity.waiting.click();
  await expect(activity.rows.first()).toContainText('demo-3');
  await expect(activity.waiting).toHaveCount(0);
  await expect(activity.counts).toContainText('95 requests');
});

test('the list is worked with the keyboard alone @laptop-only', async ({ page, context, drover }) => {
  const emulator = await drover.emulator();
  await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
  await command(context.request, emulator, 'activity', { count: 40 });
  await command(context.request, emulator, 'activity', { count: 1, status: 502, error: 'peer proxy error' });
  await page.goto(drover.origin);
  await expect(new AppFrame(page).says('Live')).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  const activity = new ActivityPage(page);
  await expect(activity.counts).toContainText('41 requests');
  for (const key of ['j', 'j', 'k']) await page.keyboard.press(key);
  await expect(activity.rows.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  const { pane } = new Inspector(page);
  await expect(pane).toContainText('peer proxy error');
  await page.keyboard.press('Escape');
  await expect(pane).toHaveCount(0);
  await page.keyboard.press('f');
  await expect(activity.rows).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(activity.counts).toContainText('41 requests');
  await page.keyboard.press('/');
  await expect(activity.search).toBeFocused();
  await page.keyboard.type('fg');
  await expect(activity.search).toHaveValue('fg');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Help' })).toBeVisible();
});

test('days before today, and back to what is live @laptop', async ({ page, context, drover }) => {
  await startDemo(context.request, drover);
  await page.goto(`${drover.origin}/activity`);
  const activity = new ActivityPage(page);
  await expect(activity.rows.first()).toBeVisible();
  await expect(activity.day).toContainText('Last 24 h');
  await activity.earlierDay();
  await expect(page).toHaveURL(/day=\d{4}-\d\d-\d\d/);
  await expect(activity.day).toContainText(/(Sun|Mon|Tue|Wed|Thu|Fri|Sat) \d+ /);
  await expect(activity.rows.first()).toBeVisible();
  await activity.laterDay();
  await expect(page).not.toHaveURL(/day=/);
  await expect(activity.day).toContainText('Last 24 h');
});

test('the CSV holds every row that matches, and no formula of a stranger @laptop-only', async ({
  page,
  context,
  drover,
}) => {
  const emulator = await drover.emulator();
  await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
  await command(context.request, emulator, 'activity', { count: 30 });
  await command(context.request, emulator, 'activity', {
    count: 1,
    status: 400,
    error: '=HYPERLINK("x"), y',
  });
  await page.goto(`${drover.origin}/activity`);
  const activity = new ActivityPage(page);
  await expect(activity.counts).toContainText('31 requests');
  const { lines } = await activity.csv();
  expect(lines).toHaveLength(32);
  expect(lines[0]).toBe(
    'ended_at,type,host,id_epoch,id,model,path,status,source,input_tokens,cached_tokens,output_tokens,prompt_per_second,tokens_per_second,duration_ms,error,source_certainty',
  );
  expect(lines[1]).toContain(`"'=HYPERLINK(""x""), y"`);
  await activity.failures.click();
  await expect(activity.rows).toHaveCount(1);
  expect((await activity.csv()).lines).toHaveLength(2);
});

test('100,000 rows scroll without a long task @laptop', async ({ page, drover }) => {
  test.slow();
  await drover.killAndRestart(async () => {
    await fillHistory(drover.dataDir, { rows: 100_000 });
  });
  await page.goto(`${drover.origin}/activity`);
  const activity = new ActivityPage(page);
  await expect(activity.counts).toContainText(/(9\d|100),\d{3} requests/, { timeout: 60_000 });
  await expect(activity.rows.first()).toBeVisible();

  // As a thumb, in small steps; then as somebody who drags the bar, through the whole list.
  const thumb = Array.from({ length: 40 }, (_, step) => step * 120);
  const height = await activity.grid.evaluate((grid) => grid.parentElement?.scrollHeight ?? 0);
  const bar = Array.from({ length: 41 }, (_, step) => (height * step) / 40);
  const tops = [...thumb, ...bar];
  const idle = await stepCosts(
    page,
    activity,
    Array.from({ length: 20 }, () => 0),
  );
  const first = await stepCosts(page, activity, tops);
  const second = await stepCosts(page, activity, tops);
  // What a step itself costs it costs each time; garbage is collected in another one. Measuring has a price of its own.
  const costs = first.map((cost, step) => Math.min(cost, second[step] ?? cost) - Math.min(...idle));
  expect(Math.max(...costs)).toBeLessThanOrEqual(LONG_TASK_MS);
});

/**
 * What each scroll step costs the page's main thread, all its tasks together, in milliseconds of its own time: that does
 * not grow when other tests keep the machine busy, as the length of a task does.
 */
async function stepCosts(
  page: Page,
  activity: ActivityPage,
  tops: readonly number[],
): Promise<readonly number[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
  };
  const costs: number[] = [];
  for (const top of tops) {
    const before = await spent();
    await activity.grid.evaluate(async (grid, to) => {
      grid.parentElement?.scrollTo({ top: to });
      for (let frame = 0; frame < 2; frame += 1)
        await new Promise((resolve) => requestAnimationFrame(resolve));
    }, top);
    costs.push((await spent()) - before);
  }
  return costs;
}
