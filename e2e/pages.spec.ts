import type { Page } from 'playwright/test';
import { addHost, command, expect, pair, startDemo, test } from './fixtures.ts';
import { AppFrame } from './page-models/app-frame.ts';
import { FleetPage } from './page-models/fleet-page.ts';
import { seriousViolations } from './serious-violations.ts';

const PAGES = [
  '/',
  '/activity',
  '/logs?host=demo-bluefin',
  '/hosts/demo-bluefin',
  '/hosts/demo-bluefin?tab=history',
  '/hosts/kestrel',
  '/outbox',
  '/hosts/add',
  '/settings',
  '/settings/device',
  '/settings/keyboard',
  '/settings/storage',
  '/settings/hosts',
  '/settings/devices',
  '/settings/keys',
  '/settings/health',
  '/settings/https',
  '/settings/about',
  '/pair',
  '/no/such/page',
] as const;

/** Opens a page and waits until what it shows is there. */
async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  if (new URL(url).pathname === '/') await expect(page.getByRole('article')).toHaveCount(4);
  if (new URL(url).pathname === '/activity') await expect(page.getByRole('row').nth(6)).toBeVisible();
  if (new URL(url).pathname === '/logs') await expect(page.getByRole('log')).toContainText(/\w/);
}

test.beforeEach(async ({ context, drover }) => {
  await pair(context.request, drover);
});

for (const theme of ['light', 'dark'] as const) {
  test(`every page is accessible and keeps to the content policy, ${theme} @laptop`, async ({
    page,
    context,
    drover,
    complaints,
  }) => {
    test.slow();
    // Half-way from one colour to the next, contrast is nobody's.
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await startDemo(context.request, drover);
    // One that is down: its card, and what needs somebody, have looks of their own.
    await addHost(context.request, drover, { id: 'kestrel', url: 'http://127.0.0.1:1' });
    const found: Record<string, readonly string[]> = {};
    for (const path of PAGES) {
      await open(page, `${drover.origin}${path}`);
      const serious = await seriousViolations(page);
      if (serious.length > 0) found[path] = serious;
    }
    await open(page, drover.origin);
    await new AppFrame(page).openConnection();
    const sheet = await seriousViolations(page);
    if (sheet.length > 0) found['the connection sheet'] = sheet;
    expect(found).toEqual({});
    expect(complaints.all.filter((text) => /content security policy/i.test(text))).toEqual([]);
  });
}

test('nothing is wider than a screen of 320 px', async ({ page, context, drover }) => {
  await startDemo(context.request, drover);
  await addHost(context.request, drover, { id: 'kestrel', url: 'http://127.0.0.1:1' });
  await page.setViewportSize({ width: 320, height: 640 });
  const wider: Record<string, number> = {};
  for (const path of PAGES) {
    await open(page, `${drover.origin}${path}`);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 320) wider[path] = width;
  }
  expect(wider).toEqual({});
});

test('the theme is chosen, kept, and follows the device when asked to', async ({ page, drover }) => {
  const background = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${drover.origin}/settings/device`);
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeVisible();
  const light = await background();
  await page.getByText('Dark', { exact: true }).click();
  await expect.poll(background).not.toBe(light);
  const dark = await background();
  await page.reload();
  await expect.poll(background).toBe(dark);
  await page.getByText('System', { exact: true }).click();
  await expect.poll(background).toBe(light);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(background).toBe(dark);
});

test('a dialog takes the focus, keeps it, and gives it back @laptop', async ({ page, context, drover }) => {
  const emulator = await drover.emulator();
  await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
  await command(context.request, emulator, 'activity', { count: 1 });
  await page.goto(drover.origin);
  await expect(new FleetPage(page).card('marlin').root).toContainText('Live');
  const pill = new AppFrame(page).connection;
  await pill.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  for (let step = 0; step < 6; step += 1) {
    await page.keyboard.press('Tab');
    // At its ends the focus passes a guard that sends it back.
    await expect
      .poll(() => dialog.evaluate((element) => element.contains(document.activeElement)))
      .toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(pill).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await expect(new AppFrame(page).title).toHaveText('Fleet');
});
