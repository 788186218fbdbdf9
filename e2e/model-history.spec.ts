import { addHost, command, expect, pair, test } from './fixtures.ts';
import { AppFrame, untilInstalled } from './page-models/app-frame.ts';
import { FleetPage } from './page-models/fleet-page.ts';
import { ModelSheet } from './page-models/model-sheet.ts';
import { OutboxPage } from './page-models/outbox-page.ts';

test('why a model did not start is one tap away, is dismissed once read, and stays in its history offline @laptop', async ({
  page,
  context,
  drover,
}) => {
  await pair(context.request, drover);
  test.slow();
  const emulator = await drover.emulator(['--era', 'v250']);
  await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
  await page.goto(drover.origin);
  const fleet = new FleetPage(page);
  const card = fleet.card('marlin');
  await card.root.getByRole('button', { name: /stopped/ }).click();
  await untilInstalled(page);

  await command(context.request, emulator, 'load', { modelId: 'demo-1' });
  await command(context.request, emulator, 'script-starts', {
    modelId: 'demo-2',
    outcomes: ['out-of-memory'],
  });
  let sheet = await ModelSheet.open(page, card, 'demo-2');
  await sheet.choose('Load');
  const waiting = fleet.needsYou
    .getByRole('listitem')
    .filter({ hasText: 'demo-2 failed to start on marlin' });
  await expect(waiting).toContainText('out of memory');
  // Said where it needs somebody and in its row: not by the action and a toast once more.
  await expect(card.model('demo-2')).toContainText('out of memory');
  await expect(fleet.needsYou.getByRole('listitem')).toHaveCount(1);
  await expect(new AppFrame(page).notice).toHaveCount(0);

  await waiting.getByRole('button', { name: /^demo-2 failed to start/ }).click();
  sheet = ModelSheet.opened(page, 'demo-2');
  await expect(sheet.root).toContainText('CUDA error: out of memory');
  await expect(sheet.root.getByLabel('Log lines around the failure')).toContainText('found 1 CUDA devices');
  await expect(sheet.changes.first()).toContainText('failed to start');
  await sheet.close();
  await waiting.getByRole('button', { name: /^Seen/ }).click();
  await expect(waiting).toHaveCount(0);
  await page.reload();
  // The action that failed is no second thing to look at; the Outbox lists it.
  await expect(card.model('demo-2')).toContainText('failed');
  await expect(fleet.needsYou).toHaveCount(0);

  const outbox = new OutboxPage(page);
  await page.goto(`${drover.origin}/outbox`);
  await outbox.item('Ended today', 'Load demo-2').getByRole('button', { name: 'Log' }).click();
  const lines = page.getByRole('region', { name: 'Last log lines' });
  await expect(lines).toBeInViewport();
  await expect(lines).toContainText('CUDA error: out of memory');
  await lines.getByRole('link', { name: 'Its log' }).click();
  await expect(page).toHaveURL(/\/logs\?host=marlin&model=demo-2/);
  await expect(page.getByRole('log')).toContainText('CUDA error: out of memory');

  await page.goto(drover.origin);
  drover.cable.cut();
  await context.setOffline(true);
  await page.reload();
  // It was swapped out for the one that failed.
  await card.root.getByRole('button', { name: /others|stopped/ }).click();
  sheet = await ModelSheet.open(page, card, 'demo-1');
  await expect(sheet.root).toContainText('This device sees back to');
  await expect(sheet.changes.filter({ hasText: 'ready' }).first()).toContainText('for demo-2');
  await expect(sheet.changes.filter({ hasText: 'loaded in' })).toHaveCount(1);
});

test('a failed start does not outlive a restart of its host as if it were news', async ({
  page,
  context,
  drover,
}) => {
  await pair(context.request, drover);
  const emulator = await drover.emulator(['--era', 'v250', '--rate', '4']);
  await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
  await page.goto(`${drover.origin}/hosts/marlin`);
  const row = page.getByRole('listitem').filter({ hasText: 'demo-2' }).first();
  await command(context.request, emulator, 'script-starts', {
    modelId: 'demo-2',
    outcomes: ['port-in-use'],
  });
  await command(context.request, emulator, 'load', { modelId: 'demo-2' });
  await expect(row).toContainText('port in use');
  await command(context.request, emulator, 'restart');
  await expect(row).toContainText('before the restart', { timeout: 30_000 });
  await page.goto(drover.origin);
  await expect(new FleetPage(page).card('marlin').root).toBeVisible();
  await expect(page.getByText('demo-2 failed to start')).toHaveCount(0);
});
