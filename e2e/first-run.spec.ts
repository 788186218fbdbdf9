import { expect, PAIRING_CODE, test } from './fixtures.ts';
import { AppFrame } from './page-models/app-frame.ts';
import { FleetPage } from './page-models/fleet-page.ts';
import { PairPage } from './page-models/pair-page.ts';

test.describe('a fresh server @laptop', () => {
  test('lets the first device in by its link, and the code leaves the address bar', async ({
    page,
    drover,
  }) => {
    await page.goto(`${drover.origin}/#pair=${PAIRING_CODE}`);
    const pairing = new PairPage(page);
    await expect(pairing.code).toHaveValue(PAIRING_CODE);
    expect(new URL(page.url()).hash).toBe('');
    await pairing.deviceName.fill('ana-phone');
    await pairing.submit();
    await expect(new AppFrame(page).says('Live')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Add a host' })).toBeVisible();

    await page.goBack();
    expect(page.url()).not.toContain(PAIRING_CODE);
  });

  test('starts the demo fleet by one click, marks it, and takes it away', async ({ page, drover }) => {
    await page.goto(`${drover.origin}/#pair=${PAIRING_CODE}`);
    await new PairPage(page).submit();
    const fleet = new FleetPage(page);
    await fleet.startDemo();
    await expect(fleet.cards).toHaveCount(3);
    for (const label of ['demo-bluefin', 'demo-heron', 'demo-marlin']) {
      const { root } = fleet.card(label);
      await expect(root).toContainText('Live');
      await expect(root).toContainText('Demo');
      await expect(root).toContainText('emulated llama-swap');
    }
    await expect(fleet.demoBar).toContainText('3 emulated hosts');
    await expect(page).toHaveTitle(/^Demo · /);
    const frame = new AppFrame(page);
    await expect(frame.connection.filter({ hasText: 'Demo fleet' })).toBeVisible();

    await frame.open('Activity');
    await expect(page.getByRole('row').filter({ hasText: 'demo-marlin' }).first()).toBeVisible();
    await frame.open('Fleet');
    await fleet.removeDemo();
    await expect(fleet.cards).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Add a host' })).toBeVisible();
    await frame.open('Activity');
    // The collector deleted their rows: this open page lets them go once it is sure that no segment brings them.
    await expect(page.getByText('No request ended in the last 24 h.')).toBeVisible({ timeout: 20_000 });
  });
});

test('a wrong code is refused in words, at the code, and the right one still works', async ({
  page,
  drover,
}) => {
  await page.goto(drover.origin);
  const pairing = new PairPage(page);
  await expect(pairing.title).toBeVisible();
  await pairing.code.fill(PAIRING_CODE.toUpperCase());
  await pairing.submit();
  await expect(page.getByText('This code is not open. Capitals count')).toBeVisible();
  await expect(pairing.code).toHaveAttribute('aria-invalid', 'true');
  await pairing.code.fill(`  ${PAIRING_CODE} `);
  await pairing.submit();
  await expect(new AppFrame(page).says('Live')).toBeVisible();
});

test('a used code lets nobody else in, and nothing is seen before a device is let in', async ({
  page,
  drover,
  browser,
}) => {
  await page.goto(`${drover.origin}/#pair=${PAIRING_CODE}`);
  await new PairPage(page).submit();
  await expect(new AppFrame(page).says('Live')).toBeVisible();

  const other = await browser.newContext();
  const stranger = await other.newPage();
  for (const path of ['/', '/activity', '/settings/keys']) {
    await stranger.goto(`${drover.origin}${path}`);
    await expect(new PairPage(stranger).title).toBeVisible();
    await expect(stranger.getByRole('navigation')).toHaveCount(0);
  }
  await stranger.goto(`${drover.origin}/#pair=${PAIRING_CODE}`);
  await new PairPage(stranger).submit();
  await expect(stranger.getByText('This code was already used. Ask for a new one.')).toBeVisible();
  await other.close();
});
