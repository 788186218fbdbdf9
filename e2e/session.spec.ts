import { join } from 'node:path';
import Database from 'better-sqlite3';
import { addHost, expect, type Installation, pair, test } from './fixtures.ts';
import { AppFrame } from './page-models/app-frame.ts';
import { FleetPage } from './page-models/fleet-page.ts';
import { PairPage } from './page-models/pair-page.ts';

/** What months, or another admin, would do to the session of the one device. */
function changeDevice(drover: Installation, change: string): void {
  const db = new Database(join(drover.dataDir, 'drover.db'));
  expect(db.prepare(`UPDATE device SET ${change}`).run().changes).toBe(1);
  db.close();
}

test.beforeEach(async ({ page, context, drover }) => {
  await pair(context.request, drover);
  const emulator = await drover.emulator();
  await addHost(context.request, drover, { id: 'bluefin', url: emulator.url });
  await page.goto(drover.origin);
  await expect(new FleetPage(page).card('bluefin').root).toContainText('Live');
});

test('a session that ran out leaves the copy readable and leads to a new code', async ({ page, drover }) => {
  changeDevice(drover, 'created_at = 1, last_seen_at = 1');
  const frame = new AppFrame(page);
  await expect(frame.says('Sign in again')).toBeVisible();
  const { root } = new FleetPage(page).card('bluefin');
  await expect(root).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toHaveCount(0);
  await expect(page.getByText('The session of this device ended.')).toBeVisible();
  await page.reload();
  await expect(root).toBeVisible();
  await page.getByRole('link', { name: 'Sign in' }).click();
  const pairing = new PairPage(page);
  await pairing.code.fill(await drover.newCode('admin'));
  await pairing.submit();
  await expect(frame.says('Live')).toBeVisible();
  await expect(root).toContainText('Live');
});

test('a device that was removed loses its copy', async ({ page, drover }) => {
  changeDevice(drover, `revoked_at = ${Date.now()}`);
  await expect(new PairPage(page).title).toBeVisible();
  await expect(page.getByText('This device was removed from the fleet.')).toBeVisible();
  await expect(page.getByText('bluefin')).toHaveCount(0);
  await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
  await page.reload();
  await expect(new PairPage(page).title).toBeVisible();
  await expect(page.getByText('bluefin')).toHaveCount(0);
});

test('signing out ends the session and wipes the copy', async ({ page, drover }) => {
  await page.goto(`${drover.origin}/settings/device`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out and wipe the copy' }).click();
  await expect(new PairPage(page).title).toBeVisible();
  await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
});

test('a viewer looks: whatever changes something says who may', async ({ browser, drover }) => {
  const context = await browser.newContext();
  await pair(context.request, drover, { code: await drover.newCode('viewer'), label: 'ben-phone' });
  const page = await context.newPage();
  await page.goto(drover.origin);
  const card = new FleetPage(page).card('bluefin');
  await expect(card.root).toContainText('Live');
  const edit = await card.action('Edit');
  await expect(edit).toBeDisabled();
  await expect(edit).toContainText('Admins only');
  await expect(page.getByRole('menuitem', { name: 'Remove' })).toBeDisabled();
  await page.goto(`${drover.origin}/hosts/add`);
  await expect(page.getByText('Only an admin can change hosts.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Test' })).toBeDisabled();
  await page.goto(`${drover.origin}/settings`);
  await expect(page.getByRole('link', { name: 'API keys' })).toHaveCount(0);
  const refused = await context.request.post(`${drover.origin}/api/demo`);
  expect(refused.status()).toBe(403);
  await context.close();
});
