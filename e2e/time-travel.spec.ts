import { addHost, command, expect, pair, test } from './fixtures.ts';
import { AppFrame, untilInstalled } from './page-models/app-frame.ts';
import { FleetPage } from './page-models/fleet-page.ts';
import { seriousViolations } from './serious-violations.ts';

test('without a network the fleet is shown as it was when a model was still loaded', async ({
  page,
  context,
  drover,
}) => {
  await pair(context.request, drover);
  const emulator = await drover.emulator(['--models', '3']);
  await addHost(context.request, drover, { id: 'bluefin', url: emulator.url });
  await page.goto(drover.origin);
  const card = new FleetPage(page).card('bluefin');
  await expect(card.root).toContainText('Live');
  await command(context.request, emulator, 'load', { modelId: 'demo-1' });
  await expect(card.model('demo-1')).toContainText('ready');
  const loadedAt = Date.now();
  await command(context.request, emulator, 'unload', { modelId: 'demo-1' });
  await expect(card.model('demo-1')).not.toContainText('ready');
  await untilInstalled(page);

  drover.cable.cut();
  await context.setOffline(true);
  await page.goto(`${drover.origin}/?at=${loadedAt}`);
  await expect(new AppFrame(page).title).toHaveText(/^Fleet at \d\d:\d\d$/);
  const past = page.getByRole('article', { name: 'bluefin' });
  await expect(past.getByRole('listitem').filter({ hasText: 'demo-1' })).toContainText('was ready');
  await expect(past.getByRole('button')).toHaveCount(0);
  expect(await seriousViolations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Change after' }).click();
  await expect(past).not.toContainText('was ready');
  await expect.poll(() => new URL(page.url()).searchParams.get('at')).not.toBe(String(loadedAt));
  await page.getByRole('button', { name: 'Change before' }).click();
  await expect(past.getByRole('listitem').filter({ hasText: 'demo-1' })).toContainText('was ready');

  const slider = page.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('Home');
  await expect(past).toContainText('not known then');
  await expect(past).toContainText(/This device knows its states from \d\d:\d\d on\./);
});
