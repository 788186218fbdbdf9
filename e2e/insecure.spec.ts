import { expect, PAIRING_CODE, test } from './fixtures.ts';
import { AppFrame } from './page-models/app-frame.ts';
import { FleetPage } from './page-models/fleet-page.ts';
import { PairPage } from './page-models/pair-page.ts';

test('plain http from another machine: live, without one error, and what is off says why @laptop', async ({
  page,
  drover,
  complaints,
}) => {
  const origin = `http://drover.test:${drover.cable.port}`;
  await page.goto(`${origin}/#pair=${PAIRING_CODE}`);
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false);
  await new PairPage(page).submit();
  const frame = new AppFrame(page);
  const fleet = new FleetPage(page);
  await expect(frame.says('Live, not kept offline')).toBeVisible();
  await fleet.startDemo();
  await expect(fleet.cards).toHaveCount(3);
  await expect(fleet.card('demo-marlin').root).toContainText('Live');

  await expect(fleet.insecureCard).toContainText(origin);
  await expect(fleet.insecureCard).toContainText('Live view and actions work');
  await expect(fleet.insecureCard.getByRole('listitem').filter({ hasText: 'needs https' })).toHaveCount(2);
  await fleet.insecureCard.getByRole('button', { name: 'Hide here' }).click();
  await expect(fleet.insecureCard).toHaveCount(0);

  await frame.open('Activity');
  await expect(page.getByRole('row').filter({ hasText: 'demo-marlin' }).first()).toBeVisible();

  await page.goto(`${origin}/settings/storage`);
  await expect(page.getByText('Nothing is kept here.')).toBeVisible();
  await page.goto(`${origin}/settings/device`);
  const install = page.getByRole('button', { name: 'Install Drover' });
  await expect(install).toBeDisabled();
  await expect(page.getByText('The browser installs apps from encrypted addresses only.')).toBeVisible();
  await page.getByRole('button', { name: 'Show again' }).click();
  await page.goto(`${origin}/settings/https`);
  await expect(page.getByText('is not encrypted: live view and actions work')).toBeVisible();
  await page.goto(origin);
  await expect(fleet.insecureCard).toBeVisible();

  expect(await page.evaluate(() => 'serviceWorker' in navigator)).toBe(false);
  expect(complaints.all, 'not even an expected complaint').toEqual([]);
});
