import type { BrowserContext, Page } from 'playwright/test';
import { addHost, command, expect, type Installation, pair, test } from './fixtures.ts';
import { ActivityPage } from './page-models/activity-page.ts';
import { AppFrame, untilInstalled } from './page-models/app-frame.ts';
import { FleetPage } from './page-models/fleet-page.ts';
import { PairPage } from './page-models/pair-page.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

async function goOffline(context: BrowserContext, drover: Installation): Promise<void> {
  drover.cable.cut();
  await context.setOffline(true);
}

async function comeBack(context: BrowserContext, drover: Installation): Promise<void> {
  drover.cable.restore();
  await context.setOffline(false);
}

/** `YYYY-MM-DD` in this machine's zone, which the browser shares. */
function dayOf(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 10);
}

/** The page started again later, as on a train: its clock is ahead by `ageMs` and runs on. */
async function reloadLater(page: Page, ageMs: number): Promise<void> {
  await page.clock.install({ time: Date.now() + ageMs });
  await page.reload();
}

test.beforeEach(async ({ context, drover }) => {
  await pair(context.request, drover);
});

test('the app starts without a network, tells the past in the past tense, and is live again by itself', async ({
  page,
  context,
  drover,
}) => {
  const emulator = await drover.emulator(['--models', '3']);
  await addHost(context.request, drover, { id: 'bluefin', url: emulator.url });
  await command(context.request, emulator, 'load', { modelId: 'demo-1' });
  await command(context.request, emulator, 'activity', { count: 20 });
  await page.goto(drover.origin);
  const frame = new AppFrame(page);
  const card = new FleetPage(page).card('bluefin');
  await expect(card.model('demo-1')).toContainText('ready');
  await expect(card.root).toContainText('last request');
  await untilInstalled(page);

  await goOffline(context, drover);
  await expect(frame.says('Offline')).toBeVisible();
  await expect(card.root).toContainText(/as of \d\d:\d\d:\d\d/);
  await expect(page.getByText('Live', { exact: true })).toHaveCount(0);

  await reloadLater(page, 20 * MINUTE_MS);
  await expect(frame.connection).toHaveText(/^Offline (19|20|21) min$/);
  await expect(page.getByText(/^Offline since \d\d:\d\d\.$/)).toBeVisible();
  await expect(card.root).toContainText('was live');
  await expect(card.root).toContainText(/seen \d\d:\d\d, (19|20|21) min ago/);
  await expect(card.model('demo-1')).toContainText('was ready since');
  await expect(page.getByText('Live', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add host' }).first()).toBeDisabled();
  const sheet = await frame.openConnection();
  await expect(sheet).toContainText(/1 of 1 host were live as of/);
  await page.keyboard.press('Escape');

  await frame.open('Activity');
  const activity = new ActivityPage(page);
  await expect(activity.counts).toContainText('20 requests');
  await expect(activity.rows.first()).toContainText('demo-1');

  // A reload would take this mark with it.
  await page.evaluate(() => document.body.setAttribute('data-same-page', 'true'));
  await command(context.request, emulator, 'activity', { count: 2 });
  await comeBack(context, drover);
  await expect(frame.says('Live')).toBeVisible();
  await expect(activity.counts).toContainText('22 requests');
  await expect(page.locator('body[data-same-page]')).toHaveCount(1);
});

test('a day that was looked at opens offline; another says that it is not on this device', async ({
  page,
  context,
  drover,
}) => {
  const looked = Date.now() - 40 * DAY_MS;
  const never = Date.now() - 45 * DAY_MS;
  const hosts = [
    { id: 'heron', endedAt: never, count: 510 },
    { id: 'tern', endedAt: looked, count: 520 },
  ];
  const activity = new ActivityPage(page);
  await page.goto(`${drover.origin}/settings/storage`);
  for (const [place, { id, endedAt, count }] of hosts.entries()) {
    const emulator = await drover.emulator();
    // So many at once are sealed at once; and they are older than what a device fetches by itself.
    await command(context.request, emulator, 'activity', { count, endedAt, announce: false });
    await addHost(context.request, drover, { id, url: emulator.url });
    await expect(page.getByRole('row').filter({ hasText: 'not here' })).toHaveCount(place + 1);
  }
  await page.goto(`${drover.origin}/activity?day=${dayOf(looked)}`);
  await expect(activity.counts).toContainText('520 requests');
  await untilInstalled(page);

  await goOffline(context, drover);
  await page.reload();
  await expect(activity.counts).toContainText('520 requests');
  await expect(activity.rows.first()).toContainText('demo-1');

  await activity.earlierDay();
  await expect(page).toHaveURL(new RegExp(`day=${dayOf(never)}`));
  await expect(page.getByText('is not on this device.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Fetch when back' })).toBeDisabled();
  await expect(activity.rows).toHaveCount(0);

  await comeBack(context, drover);
  await expect(activity.counts).toContainText('510 requests');
});

test('a device that was never let in says offline that nothing is kept here, and shows no empty fleet', async ({
  browser,
  drover,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(drover.origin);
  await expect(new PairPage(page).title).toBeVisible();
  await untilInstalled(page);
  await goOffline(context, drover);
  await page.reload();
  await expect(new AppFrame(page).says('Offline')).toBeVisible();
  await expect(page.getByText('Nothing of the fleet is kept on this device yet.')).toBeVisible();
  for (const words of ['Add a host', 'Nothing matches.']) await expect(page.getByText(words)).toHaveCount(0);
  await comeBack(context, drover);
  await expect(new PairPage(page).title).toBeVisible();
  await context.close();
});

test('a link that is open but dead is noticed', async ({ page, context, drover }) => {
  const emulator = await drover.emulator();
  await addHost(context.request, drover, { id: 'bluefin', url: emulator.url });
  await page.goto(drover.origin);
  const frame = new AppFrame(page);
  await expect(new FleetPage(page).card('bluefin').root).toContainText('Live');
  drover.cable.freeze();
  await expect(frame.says('Collector silent')).toBeVisible({ timeout: 40_000 });
  await expect(page.getByText('Live', { exact: true })).toHaveCount(0);
  drover.cable.cut();
  drover.cable.restore();
  await expect(frame.says('Live')).toBeVisible({ timeout: 30_000 });
});
