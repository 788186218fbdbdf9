import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { performanceAnswer } from '#shared/schemas/performance.ts';
import { fillSamples } from '../server/testing/fill-samples.ts';
import { addHost, command, expect, pair, test } from './fixtures.ts';
import { AppFrame, untilInstalled } from './page-models/app-frame.ts';
import { PerformancePanel } from './page-models/performance-panel.ts';
import { seriousViolations } from './serious-violations.ts';

const MINUTE_MS = 60_000;
const STEP_MS = 5 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Time of the oldest sample in segments that this browser keeps; null: it keeps none. */
async function oldestHeldSample(page: Page): Promise<number | null> {
  return page.evaluate(async () => {
    const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
    const name = names.find((one) => one.endsWith('segments'));
    if (name === undefined) return null;
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name);
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error(name)));
    });
    const notes = await new Promise<{ kind: string; from: number }[]>((resolve, reject) => {
      const request = database.transaction('notes').objectStore('notes').getAll();
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error(name)));
    });
    database.close();
    const times = notes.filter(({ kind }) => kind === 'perf-5m').map(({ from }) => from);
    return times.length === 0 ? null : Math.min(...times);
  });
}

/** Lines of a chart's CSV by time: the average and the largest. */
async function csvOf(page: Page, panel: PerformancePanel): Promise<ReadonlyMap<number, readonly string[]>> {
  const [download] = await Promise.all([page.waitForEvent('download'), panel.csv('VRAM').click()]);
  const text = await readFile(await download.path(), 'utf8');
  const [head, ...lines] = text.trim().split('\r\n');
  expect(head).toBe('time,VRAM RTX 3090 (GiB),VRAM RTX 3090 max (GiB)');
  return new Map(
    lines.map((line) => {
      const [time = '', ...values] = line.split(',');
      return [Date.parse(time), values];
    }),
  );
}

test('without a network the charts show today and the last 7 days from this device: its rollups, gaps as gaps @laptop', async ({
  page,
  context,
  drover,
}) => {
  test.slow();
  await pair(context.request, drover);
  const emulator = await drover.emulator(['--models', '2', '--gpus', '0']);
  await addHost(context.request, drover, { id: 'bluefin', url: emulator.url });
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const from = hour - 8 * DAY_MS;
  const gap = { from: hour - 3 * DAY_MS, to: hour - 3 * DAY_MS + 12 * HOUR_MS };
  // A step of memory each hour, and in each five minutes one sample that is 1 GiB more.
  const memUsedMbAt = (at: number): number =>
    1024 * (2 + (Math.floor(at / HOUR_MS) % 20)) + (at % STEP_MS === 0 ? 1024 : 0);
  await drover.killAndRestart(() =>
    fillSamples(drover.dataDir, { hostId: 'bluefin', from, to: hour, everyMs: MINUTE_MS, gap, memUsedMbAt }),
  );
  await command(context.request, emulator, 'load', { modelId: 'demo-1' });
  await command(context.request, emulator, 'activity', { count: 12 });

  // An hour of a host at a time is rolled up, the oldest first.
  const span = `from=${hour - HOUR_MS}&to=${hour}&step=${STEP_MS}`;
  const newest = async (): Promise<number> => {
    const reply = await context.request.get(`${drover.origin}/api/performance?hostId=bluefin&${span}`);
    return performanceAnswer.parse(await reply.json()).gpus[0]?.samples.at(-1)?.samples ?? 0;
  };
  await expect.poll(newest, { timeout: 60_000 }).toBe(STEP_MS / MINUTE_MS);

  const panel = new PerformancePanel(page);
  const open = (range: string): Promise<unknown> =>
    page.goto(`${drover.origin}/hosts/bluefin?tab=history&range=${range}`);
  await open('7d');
  await expect(panel.chart('VRAM')).toContainText('RTX 3090');
  await untilInstalled(page);
  await expect.poll(() => oldestHeldSample(page), { timeout: 60_000 }).toBe(from);

  drover.cable.cut();
  await context.setOffline(true);
  await open('7d');
  await expect(new AppFrame(page).connection).toHaveText(/Offline/);
  await expect(panel.root).toContainText(/From this device: averages of 5 min each, back to/);
  await expect(panel.root.getByText('not on this device')).toBeVisible();
  const week = await csvOf(page, panel);
  const expected = Array.from(
    { length: (7 * DAY_MS) / STEP_MS },
    (_, step) => hour - 7 * DAY_MS + step * STEP_MS,
  );
  const shown = expected.filter((at) => at >= Math.min(...week.keys()) && !(at >= gap.from && at < gap.to));
  expect(shown.length).toBeGreaterThan(1_800);
  for (const at of shown) {
    const low = memUsedMbAt(at + MINUTE_MS) / 1024;
    expect(week.get(at), new Date(at).toISOString()).toEqual([String(low + 0.2), String(low + 1)]);
  }
  expect([...week.keys()].filter((at) => at >= gap.from && at < gap.to)).toEqual([]);

  // Over the gap the pointer finds no value; beside it it does.
  const pointAt = async (at: number, spanMs = 7 * DAY_MS): Promise<void> => {
    const box = await panel.plot('VRAM').locator('.u-over').boundingBox();
    if (box === null) throw new Error('the chart has no size');
    const share = 1 - (Date.now() - at) / spanMs;
    await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
  };
  await pointAt((gap.from + gap.to) / 2);
  await expect(panel.chart('VRAM')).toContainText(/RTX 3090\s*–/);
  await pointAt(gap.from - 6 * HOUR_MS);
  await expect(panel.chart('VRAM')).toContainText(/RTX 3090\s*\d+\.\d\s*max \d/);

  await open('24h');
  await expect(panel.root).toContainText('From this device');
  // Late in an hour the newest requests are newer than the newest sealed samples.
  await pointAt(hour - 2 * HOUR_MS, DAY_MS);
  await expect(panel.chart('VRAM')).toContainText(/RTX 3090\s*\d+\.\d\s*max \d/);
  await expect(panel.lanes.getByRole('listitem').filter({ hasText: 'demo-1' })).toBeVisible();
  await panel.chart('Requests').getByRole('button', { name: 'Requests as a table' }).click();
  const requests = page.getByRole('dialog', { name: 'Requests per 30 min' });
  await expect(requests.getByRole('row').filter({ hasText: /\d\d:\d\d.*12/ })).toHaveCount(1);
  await page.keyboard.press('Escape');

  await panel.plot('VRAM').focus();
  await page.keyboard.press('Home');
  const first = await panel.facts.textContent();
  expect(first).toContain('cursor');
  await page.keyboard.press('ArrowRight');
  await expect(panel.facts).not.toHaveText(first ?? '');
  await page.keyboard.press('+');
  await page.keyboard.press('<');
  await expect(panel.showAll).toBeVisible();
  await page.keyboard.press('0');
  await expect(panel.showAll).toBeHidden();

  expect(await seriousViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  await expect(panel.chart('VRAM')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
