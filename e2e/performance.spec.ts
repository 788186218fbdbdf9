import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright/test';
import { must } from '#shared/lib/assert.ts';
import { performanceAnswer } from '#shared/schemas/performance.ts';
import { expect, type Installation, pair, startDemo, test } from './fixtures.ts';
import { FleetPage } from './page-models/fleet-page.ts';
import { PerformancePanel } from './page-models/performance-panel.ts';
import { seriousViolations } from './serious-violations.ts';

const HOUR_MS = 3_600_000;
const TICK_MS = 1_500;

/** Every VRAM sample of each card in the last two hours, as the server has it and the CSV writes it. */
async function vramOf(
  page: Page,
  drover: Installation,
): Promise<readonly (readonly [at: number, value: string])[][]> {
  const from = Date.now() - 2 * HOUR_MS;
  const url = `${drover.origin}/api/performance?hostId=demo-bluefin&from=${from}&to=${Date.now()}&step=0`;
  const answer = performanceAnswer.parse(await (await page.request.get(url)).json());
  return answer.gpus.map(({ samples }) =>
    samples.map(({ at, memUsedMb }) => [
      at,
      memUsedMb === null ? '' : String(Math.round((memUsedMb / 1024) * 1000) / 1000),
    ]),
  );
}

/** Two fingers on a plot, moved apart. */
async function pinchApart(page: Page, plot: Locator): Promise<void> {
  const { x, y, width, height } = await boxOf(plot);
  const session = await page.context().newCDPSession(page);
  for (const [step, apart] of [20, 40, 60, 80, 100].entries()) {
    await session.send('Input.dispatchTouchEvent', {
      type: step === 0 ? 'touchStart' : 'touchMove',
      touchPoints: [-apart, apart].map((by, id) => ({ x: x + width / 2 + by, y: y + height / 2, id })),
    });
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** What a pinch on a trackpad is to a browser. */
async function turnWheelWithCtrl(page: Page, plot: Locator): Promise<void> {
  const { x, y, width, height } = await boxOf(plot);
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -40);
  await page.keyboard.up('Control');
}

async function boxOf(plot: Locator) {
  await plot.scrollIntoViewIfNeeded();
  return must(await plot.boundingBox(), 'a plot on screen');
}

test('cards show the memory of each GPU, and the host its charts: by keys, as a table, as the samples that were taken @laptop', async ({
  page,
  context,
  drover,
}) => {
  await pair(context.request, drover);
  await startDemo(context.request, drover);
  await page.goto(drover.origin);
  const { root } = new FleetPage(page).card('demo-bluefin');
  await expect(root).toContainText(/\d \/ 24 GiB.*\d \/ 24 GiB/s);
  await expect(new FleetPage(page).card('demo-heron').root).toContainText(
    /M3 Ultra, unified.*\d \/ 192 GiB/s,
  );

  await page.goto(`${drover.origin}/hosts/demo-bluefin`);
  const panel = new PerformancePanel(page);
  await expect(panel.machine).toContainText(/\d \/ 24 GiB.*CPU \d+ %/s);
  await page.goto(`${drover.origin}/hosts/demo-bluefin?range=1h`);
  await expect(panel.root).toContainText('Every sample.');
  await expect(panel.chart('VRAM')).toContainText(/GPU 0\s*\d+\.\d/);
  for (const title of ['Utilisation', 'Temperature', 'Power', 'CPU', 'Memory'])
    await expect(panel.chart(title)).toContainText(/\d/);

  await expect(panel.chart('Requests')).toContainText(/Requests per 1 min.*all\s*\d+.*failed\s*\d+/s);
  await expect(panel.chart('Generation')).toContainText(/all models\s*\d/);
  await expect(panel.lanes.getByRole('listitem').filter({ hasText: 'bge-reranker-v2-m3' })).toBeVisible();

  await panel.plot('VRAM').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(panel.facts).toContainText(/cursor \d\d:\d\d:\d\d/);
  const first = await panel.facts.textContent();
  await page.keyboard.press('ArrowLeft');
  await expect(panel.facts).not.toHaveText(first ?? '');
  await page.keyboard.press('+');
  await expect(panel.showAll).toBeVisible();
  await page.keyboard.press('-');
  await expect(panel.showAll).toBeHidden();
  await ((await page.evaluate(() => navigator.maxTouchPoints > 0))
    ? pinchApart(page, panel.plot('VRAM'))
    : turnWheelWithCtrl(page, panel.plot('VRAM')));
  await expect(panel.showAll).toBeVisible();
  await panel.showAll.click();
  await expect(panel.showAll).toBeHidden();
  await panel.plot('VRAM').focus();
  await page.keyboard.press('t');
  const table = page.getByRole('dialog', { name: 'VRAM, GiB' });
  await expect(table.getByRole('columnheader')).toHaveText(['Time', 'GPU 0, GiB', 'GPU 1, GiB']);
  await expect(table.getByRole('row').nth(2)).toContainText(/\d\d:\d\d:\d\d/);
  await page.keyboard.press('Escape');
  await expect(table).toBeHidden();

  await panel.lanes.getByRole('button', { name: 'Models over time as a table' }).click();
  const states = page.getByRole('dialog', { name: 'Models over time' });
  await expect(states.getByRole('row').filter({ hasText: /bge-reranker-v2-m3\s*ready/ })).not.toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(states).toBeHidden();

  const [download] = await Promise.all([page.waitForEvent('download'), panel.csv('VRAM').click()]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n').slice(1);
  const stored = await vramOf(page, drover);
  expect(lines.length).toBeGreaterThan(50);
  for (const line of lines) {
    const [time = '', ...values] = line.split(',');
    // A card is read a moment after its machine, whose time a tick has.
    const at = Date.parse(time);
    const tick = stored.map(
      (samples) => samples.find(([taken]) => taken >= at && taken - at < TICK_MS)?.[1] ?? '',
    );
    expect(values, time).toEqual(tick);
  }

  await panel.range('24 h').check({ force: true });
  await expect(page).toHaveURL(/range=24h/);
  await expect(panel.root).toContainText('Averages of 1 min each.');
  expect(await seriousViolations(page)).toEqual([]);
});
