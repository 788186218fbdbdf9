import { addHost, command, expect, pair, test } from './fixtures.ts';
import { ActivityPage } from './page-models/activity-page.ts';
import { AppFrame, untilInstalled } from './page-models/app-frame.ts';

const DAY_MS = 86_400_000;

test.beforeEach(async ({ context, drover }) => {
  await pair(context.request, drover);
});

test('requests are told apart by whom they came from, at home and away @laptop', async ({
  page,
  context,
  drover,
}) => {
  test.slow();
  const emulator = await drover.emulator(['--era', 'v262']);
  await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
  await page.goto(`${drover.origin}/activity`);
  const activity = new ActivityPage(page);
  const body = { model: 'demo-1', messages: [{ role: 'user', content: 'hello' }], max_tokens: 4 };
  const headers = { 'X-Drover-Source': 'ci-nightly' };
  const reply = await context.request.post(`${emulator.url}/v1/chat/completions`, { headers, data: body });
  expect(reply.status()).toBe(200);
  await expect(activity.rows.first()).toContainText('ci-nightly');
  await command(context.request, emulator, 'activity', { count: 3, source: 'ip:10.0.0.7' });
  await command(context.request, emulator, 'activity', {
    count: 2,
    source: 'ip:10.0.0.8',
    status: 500,
    error: 'slot unavailable',
  });
  await expect(activity.counts).toContainText('6 requests · 2 failed');

  await activity.filter('source').click();
  await expect(activity.option('10.0.0.7')).toContainText('3');
  await expect(activity.option('ci-nightly')).toContainText('1');
  await activity.option('ci-nightly').click();
  await activity.option('10.0.0.8').click();
  await page.keyboard.press('Escape');
  await expect(activity.rows).toHaveCount(3);
  await expect(page).toHaveURL(/source=.*ci-nightly.*10\.0\.0\.8/);

  await activity.rows.filter({ hasText: 'ci-nightly' }).click();
  await expect(page.getByText(/^marlin.*Source ci-nightly, matched/)).toBeVisible();
  await page.keyboard.press('Escape');

  await activity.filter('source').click();
  await page.getByRole('menuitem', { name: 'Table by source' }).click();
  const table = page.getByRole('dialog', { name: 'By source' });
  await expect(table.getByRole('row').filter({ hasText: '10.0.0.8' })).toContainText('exact');
  await expect(table.getByRole('row').filter({ hasText: 'ci-nightly' })).toContainText('matched');
  await page.keyboard.press('Escape');

  await expect(new AppFrame(page).says('Live')).toBeVisible();
  await untilInstalled(page);
  drover.cable.cut();
  await context.setOffline(true);
  await page.reload();
  await expect(activity.rows).toHaveCount(3);
  await activity.filter('source').click();
  await activity.option('10.0.0.8').click();
  await page.keyboard.press('Escape');
  await expect(activity.rows).toHaveCount(1);
  await expect(activity.rows.first()).toContainText('ci-nightly');
});

test('the whole history comes from the collector, page by page, and from this device while it is away @laptop', async ({
  page,
  context,
  drover,
}) => {
  test.slow();
  const emulator = await drover.emulator(['--era', 'v250']);
  await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
  const endedAt = Date.now() - 3 * DAY_MS;
  await command(context.request, emulator, 'activity', { count: 450, endedAt });
  await command(context.request, emulator, 'activity', {
    count: 2,
    endedAt,
    status: 500,
    error: '100%_full',
  });
  await page.goto(`${drover.origin}/activity`);
  const activity = new ActivityPage(page);
  await activity.chooseTime('All history');
  await expect(page).toHaveURL(/all=true/);
  await expect(activity.counts).toContainText('452 requests · 2 failed');
  await expect(activity.grid).toHaveAttribute('aria-rowcount', '201');
  await activity.scrollTo(1_000_000);
  await expect(activity.grid).toHaveAttribute('aria-rowcount', '401');
  await activity.scrollTo(1_000_000);
  await expect(activity.grid).toHaveAttribute('aria-rowcount', '453');
  await expect(page.getByText(/Whole history on the collector.* This is all\./)).toBeVisible();

  await activity.searchFor('0%_F');
  await expect(activity.rows).toHaveCount(2);
  await activity.searchFor('0x_F');
  await expect(page.getByText('Nothing matches.')).toBeVisible();
  await activity.searchFor('0%_F');
  await expect(activity.rows).toHaveCount(2);

  drover.cable.cut();
  await context.setOffline(true);
  const problem = page.getByRole('status').filter({ hasText: 'The collector is away.' });
  await expect(problem).toContainText('Whole history on the collector, as of', { timeout: 60_000 });
  await expect(activity.rows).toHaveCount(2);
  // What it has never answered is found on this device.
  await activity.searchFor('%_Fu');
  await expect(problem).toContainText('This device');
  await expect(activity.rows).toHaveCount(2);
  await context.setOffline(false);
  drover.cable.restore();
  await expect(page.getByText(/Whole history on the collector.* This is all\./)).toBeVisible({
    timeout: 60_000,
  });
  await expect(activity.rows).toHaveCount(2);
});

test('filters are kept as a view: by its name, by its link, in the palette, renamed, deleted and brought back @laptop', async ({
  page,
  context,
  drover,
}) => {
  const emulator = await drover.emulator();
  await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
  await command(context.request, emulator, 'activity', { count: 4 });
  await command(context.request, emulator, 'activity', { count: 3, status: 500, error: 'slot unavailable' });
  await page.goto(`${drover.origin}/activity`);
  const activity = new ActivityPage(page);
  await expect(activity.counts).toContainText('7 requests');
  await activity.failures.click();
  await activity.savedViews.click();
  await page.getByRole('menuitem', { name: 'Save these filters' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('What failed');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page).toHaveURL(/failures=true.*view=What/);
  await expect(activity.savedViews).toHaveText('What failed');
  const link = page.url();

  await activity.failures.click();
  await expect(activity.savedViews, 'a changed view is that view no more').toHaveText('Saved views');
  await expect(activity.rows).toHaveCount(7);
  await page.reload();
  await activity.savedViews.click();
  await page.getByRole('menuitemradio', { name: 'What failed' }).click();
  await expect(activity.rows).toHaveCount(3);
  expect(page.url()).toBe(link);

  await page.goto(`${drover.origin}/`);
  await expect(new AppFrame(page).says('Live')).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('what fai');
  await page.getByRole('option', { name: /What failed/ }).click();
  await expect(activity.rows).toHaveCount(3);

  await activity.savedViews.click();
  await page.getByRole('menuitem', { name: 'Edit views' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Failures');
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page).toHaveURL(/view=Failures/);
  await page.getByRole('button', { name: 'Delete Failures' }).click();
  await expect(page.getByText('None on this device.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Delete Failures' })).toBeVisible();
});
