import { addHost, expect, pair, test } from './fixtures.ts';
import { AppFrame } from './page-models/app-frame.ts';
import { FleetPage } from './page-models/fleet-page.ts';
import { HostPage } from './page-models/host-page.ts';

test.beforeEach(async ({ context, drover }) => {
  await pair(context.request, drover, { label: 'ana-phone' });
  const emulator = await drover.emulator(['--models', '2', '--profile', 'day', '--profile', 'night']);
  await addHost(context.request, drover, { id: 'bluefin', url: emulator.url });
});

test('a profile is switched on a laptop, seen on another device, and the action with it @laptop-only', async ({
  page,
  browser,
  drover,
}) => {
  const other = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await pair(other.request, drover, { code: await drover.newCode('viewer'), label: 'eva-tablet' });
  const theirs = await other.newPage();
  await theirs.goto(drover.origin);
  const card = new FleetPage(theirs).card('bluefin').root;
  await expect(card).toContainText('Live');
  await expect(card).not.toContainText('profile');

  await page.goto(`${drover.origin}/hosts/bluefin`);
  const host = new HostPage(page);
  await expect(host.profile).toHaveText('No profile');
  await host.profile.click();
  await expect(host.profileChoice('No profile')).toBeChecked();
  await host.profileChoice('Profile night').click();
  await expect(host.profile).toHaveText('Profile night');
  await expect(host.actions).toContainText(/Activate profile night.*you/);
  await expect(card).toContainText('llama-swap v250 · profile night');

  await theirs.goto(`${drover.origin}/hosts/bluefin`);
  const seen = new HostPage(theirs);
  await expect(seen.profile).toHaveText('Profile night');
  await expect(seen.actions).toContainText('Activate profile night');
  await seen.profile.click();
  await expect(seen.profileChoice('Profile night')).toBeChecked();
  await expect(seen.profileChoice('Profile day')).toBeDisabled();
  await expect(seen.profileChoice('Profile day')).toContainText('Your role is viewer: you may look.');
  await other.close();
});

test('on a phone it stands in the menu; without a network it is queued, and done when that is back', async ({
  page,
  context,
  drover,
}) => {
  await page.goto(`${drover.origin}/hosts/bluefin`);
  const host = new HostPage(page);
  await expect(host.models).toHaveCount(2);
  await host.openMenu('bluefin');
  await expect(host.profileChoice('No profile')).toBeChecked();
  await page.keyboard.press('Escape');
  drover.cable.cut();
  await context.setOffline(true);
  await expect(new AppFrame(page).says('Offline')).toBeVisible();
  await host.openMenu('bluefin');
  await host.profileChoice('Profile day: will queue').click();
  await expect(page.getByText('Sent when you are back.')).toBeVisible();
  await expect(host.actions).toContainText('Activate profile day');
  await expect(page.locator('[data-intent]').getByText('queued here').first()).toBeVisible();

  drover.cable.restore();
  await context.setOffline(false);
  await expect(host.actions).toContainText(/Activate profile day.*you · \d\d:\d\d/);
  await expect(page.getByText('profile day').first()).toBeAttached();
  await host.openMenu('bluefin');
  await expect(host.profileChoice('Profile day')).toBeChecked();
});
