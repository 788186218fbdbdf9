import type { Browser, BrowserContext, Page } from 'playwright/test';
import { addHost, expect, type Installation, pair, test } from './fixtures.ts';
import { AppFrame } from './page-models/app-frame.ts';
import { DevicesPage, PairingRequestCard } from './page-models/devices-page.ts';
import { FleetPage } from './page-models/fleet-page.ts';
import { PairPage } from './page-models/pair-page.ts';
import { seriousViolations } from './serious-violations.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

/** A second device that types `code` and is then on its pairing page, waiting. */
async function applicant(
  browser: Browser,
  drover: Installation,
  code: string,
): Promise<{ readonly context: BrowserContext; readonly page: Page }> {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  await page.goto(`${drover.origin}/#pair=${code}`);
  const pairing = new PairPage(page);
  await expect(pairing.code).toHaveValue(code);
  await pairing.deviceName.fill('ben-tablet');
  await pairing.submit();
  await expect(page.getByText('Waiting for whoever made the code: they see “ben-tablet”')).toBeVisible();
  return { context, page };
}

test.beforeEach(async ({ page, context, drover }) => {
  await pair(context.request, drover);
  const emulator = await drover.emulator();
  await addHost(context.request, drover, { id: 'bluefin', url: emulator.url });
  await page.goto(`${drover.origin}/settings/devices`);
  await expect(new AppFrame(page).says('Live')).toBeVisible();
});

test('a device makes a code, lets another in on whatever page it is, and signs it out again', async ({
  page,
  browser,
  drover,
}) => {
  test.slow();
  const devices = new DevicesPage(page);
  const code = await devices.makeCode('Operator');
  await expect(page.getByRole('img', { name: /^QR code of / }).locator('svg')).toBeVisible();
  await expect(page.getByText(/^(10:00|9:\d\d) left$/)).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);

  await new AppFrame(page).open('Fleet');
  await expect(new FleetPage(page).card('bluefin').root).toContainText('Live');
  const second = await applicant(browser, drover, code);
  expect(await seriousViolations(second.page)).toEqual([]);

  const card = new PairingRequestCard(page, 'ben-tablet');
  await expect(card.root).toContainText('with your code');
  await expect(card.root).toContainText('127.0.0.1');
  await expect(card.root).toContainText('Chrome');
  await expect(card.root.getByRole('radio', { name: 'Operator' })).toBeChecked();
  // It came by itself: whoever was typing still is.
  expect(await page.evaluate(() => document.activeElement?.closest('section') === null)).toBe(true);
  expect(await seriousViolations(page)).toEqual([]);
  // A phone drops the tab that waits: the request outlives it.
  await second.page.reload();
  await card.letIn();
  await expect(card.root).toHaveCount(0);

  const fleet = new FleetPage(second.page);
  await expect(fleet.card('bluefin').root).toContainText('Live');
  expect(await (await second.context.request.get(`${drover.origin}/api/info`)).json()).toMatchObject({
    role: 'operator',
    device: { label: 'ben-tablet' },
  });

  await page.goto(`${drover.origin}/settings/devices`);
  await expect(devices.role('ben-tablet')).toHaveText('Operator');
  await devices.giveRole('ben-tablet', 'Viewer');
  await expect(devices.role('ben-tablet')).toHaveText('Viewer');
  await (await devices.action('ben-tablet', 'Rename')).click();
  await page.getByRole('dialog').getByLabel('Name').fill('ben-slate');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await expect(devices.role('ben-slate')).toBeVisible();

  await (await devices.action('ben-slate', 'Revoke')).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('signed out at once and its copy is wiped');
  await dialog.getByRole('button', { name: 'Revoke ben-slate' }).click();
  await expect(second.page.getByText('This device was removed from the fleet.')).toBeVisible();
  await expect(second.page.getByText('bluefin')).toHaveCount(0);
  await expect(devices.role('ben-slate')).toHaveCount(0);
  await second.context.close();
});

test('whoever is refused is told, and the last admin stays', async ({ page, browser, drover }) => {
  const devices = new DevicesPage(page);
  const second = await applicant(browser, drover, await devices.makeCode('Viewer'));
  await expect(page.getByText('The code was used: ben-tablet asks to be let in.')).toBeVisible();
  await expect(devices.code).toHaveCount(0);
  await new PairingRequestCard(page, 'ben-tablet').refuse();
  await expect(second.page.getByText('Not let in.')).toBeVisible();
  await expect(new PairPage(second.page).code).toBeVisible();
  await devices.role('ana-phone').click();
  const viewer = page.getByRole('menuitem', { name: /^Viewer/ });
  await expect(viewer).toBeDisabled();
  await expect(viewer).toContainText('The last admin');
  await second.context.close();
});

test('who is no admin sees their own device, renames it and lets in no more than they are', async ({
  browser,
  drover,
}) => {
  const context = await browser.newContext(PHONE);
  await pair(context.request, drover, { code: await drover.newCode('operator'), label: 'ben-phone' });
  const page = await context.newPage();
  await page.goto(`${drover.origin}/settings/devices`);
  const devices = new DevicesPage(page);
  await expect(devices.role('ben-phone')).toBeVisible();
  await expect(page.getByText('ana-phone')).toHaveCount(0);
  await expect(page.getByRole('radio', { name: 'Admin' })).toHaveCount(0);
  await expect(page.getByRole('radio', { name: 'Operator' })).toBeEnabled();
  drover.cable.cut();
  await expect(page.getByRole('button', { name: 'Make a code' })).toBeDisabled();
  await expect(page.getByText('This needs the collector.').first()).toBeVisible();
  // The list stays, read only.
  await expect(devices.role('ben-phone')).toBeVisible();
  await context.close();
});
