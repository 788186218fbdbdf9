import { addHost, expect, pair, test } from './fixtures.ts';
import { AppFrame } from './page-models/app-frame.ts';
import { HealthPage } from './page-models/health-page.ts';
import { seriousViolations } from './serious-violations.ts';

test.beforeEach(async ({ page, context, drover }) => {
  await pair(context.request, drover);
  const emulator = await drover.emulator();
  await addHost(context.request, drover, { id: 'bluefin', url: emulator.url });
  await addHost(context.request, drover, { id: 'kestrel', url: 'http://127.0.0.1:1' });
  await page.goto(`${drover.origin}/settings/health`);
  await expect(new AppFrame(page).says('Live')).toBeVisible();
});

test('what failed stands first, with its reason and what to do, and the rest says how it is @laptop', async ({
  page,
}) => {
  test.slow();
  const health = new HealthPage(page);
  // A host is down after five tries.
  await expect(async () => {
    await health.checkNow.click();
    await expect(health.checks.first()).toContainText('Failed', { timeout: 1000 });
  }).toPass({ timeout: 60_000 });
  const first = health.checks.first();
  await expect(first).toContainText('Host kestrel');
  await expect(first).toContainText('Connection refused.');
  await expect(first).toContainText('systemctl status llama-swap');
  await expect(health.check('Host bluefin')).toContainText('Event stream open');
  for (const [title, detail] of [
    ['Store', /rows of history, .* free\./],
    ['Sync', /sockets?, 0 shed frames, .*fleet .* KB, tail .* KB/],
    ['Segments', /blobs?, /],
    ['Audit log', /Chain verified to \d+/],
    ['Certificate', /plain http/],
    ['This device', /App \d+\.\d+\.\d+, service worker active, copy .* of 50\.0 MB/],
  ] as const) {
    await expect(health.check(title)).toContainText(detail);
  }
  await expect(page.getByText('Degraded', { exact: true })).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await first.getByRole('link', { name: 'Host kestrel' }).click();
  await expect(page).toHaveURL(/\/hosts\/kestrel/);
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await expect(page).toHaveURL(/\/settings\/health$/);
});

test('the report is copied whole, without addresses and paths', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const health = new HealthPage(page);
  await expect(health.check('Data folder')).toContainText('drover-e2e-');
  await health.copy.click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const report = await page.evaluate(() => navigator.clipboard.readText());
  expect(report).toMatch(/^Drover health: \w+, checked /);
  expect(report).toContain('OK       Data folder: [path]');
  expect(report).toContain('OK       Store: ');
  expect(report).toContain('This device: App ');
  expect(report).not.toContain('drover-e2e-');
  expect(report).not.toMatch(/127\.0\.0\.1/);
});

test('without the collector the last report stays, stamped, also after a start without network', async ({
  page,
  context,
  drover,
}) => {
  const health = new HealthPage(page);
  await expect(health.check('Store')).toContainText('rows of history');
  await expect(health.check('This device')).toContainText('service worker active');
  drover.cable.cut();
  await context.setOffline(true);
  await expect(page.getByText(/last report \d\d:\d\d:\d\d/)).toBeVisible();
  await expect(page.getByText(/^was (OK|Degraded)$/)).toBeVisible();
  await page.reload();
  await expect(health.check('Store')).toContainText('rows of history');
  await expect(page.getByText(/last report \d\d:\d\d/)).toBeVisible();
  await expect(health.check('Store')).toHaveAttribute('data-stale', 'true');
  await expect(health.check('This device')).toHaveAttribute('data-stale', 'false');
  expect(await seriousViolations(page)).toEqual([]);
  drover.cable.restore();
  await context.setOffline(false);
  await expect(page.getByText(/checked \d\d:\d\d:\d\d/)).toBeVisible();
});
