import { addHost, command, expect, pair, test } from './fixtures.ts';
import { ActivityPage } from './page-models/activity-page.ts';
import { AppFrame, untilInstalled } from './page-models/app-frame.ts';
import { FleetPage } from './page-models/fleet-page.ts';

test('two tabs show the same; when the one that keeps the copy is closed, the other keeps it on', async ({
  page,
  context,
  drover,
}) => {
  await pair(context.request, drover);
  const first = await drover.emulator();
  const second = await drover.emulator(['--era', 'main']);
  await addHost(context.request, drover, { id: 'bluefin', url: first.url });
  await page.goto(drover.origin);
  await expect(new FleetPage(page).card('bluefin').root).toContainText('Live');
  const other = await context.newPage();
  await other.goto(drover.origin);
  await expect(new FleetPage(other).card('bluefin').root).toContainText('Live');
  await untilInstalled(other);

  await page.close();
  await addHost(context.request, drover, { id: 'heron', url: second.url });
  await command(context.request, second, 'activity', { count: 7 });
  const fleet = new FleetPage(other);
  await expect(fleet.card('heron').root).toContainText('Live');
  await new AppFrame(other).open('Activity');
  await expect(new ActivityPage(other).counts).toContainText('7 requests');

  drover.cable.cut();
  await context.setOffline(true);
  await expect(new AppFrame(other).says('Offline')).toBeVisible();
  await other.reload();
  await expect(new ActivityPage(other).counts).toContainText('7 requests');
  await new AppFrame(other).open('Fleet');
  await expect(fleet.cards).toHaveCount(2);
});

test('two devices show the same at the same time', async ({ page, context, drover, browser }) => {
  await pair(context.request, drover);
  const laptop = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await pair(laptop.request, drover, { code: await drover.newCode('viewer'), label: 'ben-laptop' });
  const there = await laptop.newPage();
  await page.goto(drover.origin);
  await there.goto(drover.origin);
  const emulator = await drover.emulator();
  await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
  await command(context.request, emulator, 'load', { modelId: 'demo-1' });
  for (const device of [page, there]) {
    await expect(new FleetPage(device).card('marlin').model('demo-1')).toContainText('ready');
    await new AppFrame(device).open('Activity');
  }
  await command(context.request, emulator, 'activity', { count: 3 });
  for (const device of [page, there])
    await expect(new ActivityPage(device).counts).toContainText('3 requests');
  await laptop.close();
});
