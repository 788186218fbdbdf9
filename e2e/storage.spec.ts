import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { RunningProcess } from '../server/testing/processes.ts';
import { addHost, command, expect, pair, test } from './fixtures.ts';
import { ActivityPage } from './page-models/activity-page.ts';
import { AppFrame, untilInstalled } from './page-models/app-frame.ts';
import { FleetPage } from './page-models/fleet-page.ts';

let emulator: RunningProcess;

test.beforeEach(async ({ context, drover }) => {
  await pair(context.request, drover);
  emulator = await drover.emulator();
  await addHost(context.request, drover, { id: 'bluefin', url: emulator.url });
  await command(context.request, emulator, 'activity', { count: 4 });
});

test('a browser that keeps nothing is said in the connection, and everything else works', async ({
  page,
  drover,
}) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('A mutation operation was attempted on a database.', 'SecurityError');
    };
  });
  await page.goto(drover.origin);
  const frame = new AppFrame(page);
  await expect(frame.says('Not saved on this device')).toBeVisible();
  await expect(new FleetPage(page).card('bluefin').root).toContainText('Live');
  const sheet = await frame.openConnection();
  await expect(sheet).toContainText('refused by the browser');
  await page.keyboard.press('Escape');
  await frame.open('Activity');
  await expect(new ActivityPage(page).counts).toContainText('4 requests');
  await page.goto(`${drover.origin}/settings/storage`);
  await expect(page.getByText('Not saved on this device.', { exact: true })).toBeVisible();
});

test('a browser without room says so', async ({ page, context, drover }) => {
  const session = await context.newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', { origin: drover.origin, quotaSize: 1 });
  await page.goto(drover.origin);
  await expect(new AppFrame(page).says('Not saved on this device')).toBeVisible();
  await expect(new FleetPage(page).card('bluefin').root).toContainText('Live');
});

test('a copy that the browser clears while the page is open is written again', async ({
  page,
  context,
  drover,
}) => {
  await page.goto(`${drover.origin}/activity`);
  const activity = new ActivityPage(page);
  await expect(activity.counts).toContainText('4 requests');
  await untilInstalled(page);
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: drover.origin, storageTypes: 'indexeddb' });
  await command(context.request, emulator, 'activity', { count: 1 });
  await expect(activity.counts).toContainText('5 requests');
  await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBeGreaterThan(0);
  // Written anew as a whole, not only opened anew: all of it is there when the network is not.
  await expect(async () => {
    drover.cable.cut();
    await context.setOffline(true);
    await page.reload();
    await expect(activity.counts).toContainText('5 requests', { timeout: 2000 });
    await context.setOffline(false);
    drover.cable.restore();
  }).toPass({ timeout: 30_000 });
});

test('a history that was restored is fetched anew, with nothing of the old one left', async ({
  page,
  drover,
}) => {
  await page.goto(`${drover.origin}/activity`);
  const activity = new ActivityPage(page);
  await expect(activity.counts).toContainText('4 requests');
  const names = async (): Promise<string> =>
    JSON.stringify(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)));
  await expect.poll(names).toContain('tail@g1');
  await emulator.kill('SIGKILL');
  await drover.killAndRestart(() => {
    // As a backup of an earlier moment: the newest rows are in no table, but the documents of devices have them.
    const db = new Database(join(drover.dataDir, 'drover.db'));
    db.exec('DELETE FROM activity WHERE id IN (SELECT id FROM activity ORDER BY id DESC LIMIT 1)');
    db.close();
  });
  await expect(new AppFrame(page).says('Live')).toBeVisible();
  await expect(activity.counts).toContainText('3 requests');
  // It is said when it happens, and explained where actions stand, until it was read.
  const frame = new AppFrame(page);
  await expect(frame.notice).toContainText('History restored');
  await frame.notice.getByRole('button', { name: 'Show' }).click();
  const words = page.getByText('The history was restored.');
  await expect(words).toBeVisible();
  await page.reload();
  await expect(words).toBeVisible();
  await page.getByRole('button', { name: 'Hide' }).click();
  await expect(words).toHaveCount(0);
  await expect.poll(names).toContain('tail@g2');
  await expect.poll(names).not.toContain('tail@g1');
});
