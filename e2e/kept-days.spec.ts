import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import { fillHistory } from '../server/bench/fill-history.ts';
import { expect, pair, test } from './fixtures.ts';
import { AppFrame, untilInstalled } from './page-models/app-frame.ts';
import { StoragePage } from './page-models/storage-page.ts';
import { seriousViolations } from './serious-violations.ts';

/** Five days, whatever the time: half of what is kept has room for the oldest, and all of it has not. */
const ROWS = 500_000;

/** Days are sealed by UTC: elsewhere a sealed day may lie in two of the device's, and goes with the one that has more of it. */
test.use({ timezoneId: 'UTC' });

test('days are pinned, let go of by the budget, taken off, fetched again when the collector is back, and exported', async ({
  page,
  context,
  drover,
}) => {
  test.setTimeout(240_000);
  await drover.killAndRestart(async () => {
    await fillHistory(drover.dataDir, { rows: ROWS });
  });
  await pair(context.request, drover);
  await page.goto(`${drover.origin}/settings/storage`);
  const storage = new StoragePage(page);
  await expect(new AppFrame(page).says('Live')).toBeVisible();
  await expect(storage.days.nth(1)).toContainText('here', { timeout: 90_000 });
  const oldest = storage.days.last();
  await expect(oldest).toContainText('here', { timeout: 90_000 });
  await expect(oldest).not.toContainText('not here', { timeout: 90_000 });
  expect(await seriousViolations(page)).toEqual([]);

  // Pinned: the budget takes others, and not this one.
  await storage.act(oldest, 'Pin');
  await expect(oldest).toContainText('pinned');
  await storage.keepAtMost(5);
  await expect(storage.budget).toHaveText('Keep at most 5 MB');
  await expect(page.locator('tbody')).toContainText(/not here|in part/, { timeout: 30_000 });
  await expect(oldest).not.toContainText('not here');

  // Unpinned it goes as well: it is the oldest.
  await storage.act(oldest, 'Unpin');
  await expect(oldest).toContainText('not here', { timeout: 30_000 });

  // Room again; without the collector a day is asked for, also over a reload, and comes when it is back.
  await untilInstalled(page);
  drover.cable.cut();
  await context.setOffline(true);
  await expect(new AppFrame(page).says('Offline')).toBeVisible({ timeout: 60_000 });
  await storage.act(oldest, 'Fetch when back');
  await expect(oldest).toContainText('fetched when back');
  await page.reload();
  await expect(oldest).toContainText('fetched when back');
  await expect(oldest).toContainText('not here');
  drover.cable.restore();
  await context.setOffline(false);
  await expect(oldest).not.toContainText('not here', { timeout: 60_000 });
  await expect(oldest).not.toContainText('fetched when back');

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: /^NDJSON/ }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toMatch(/^drover-\d{4}-\d\d-\d\d\.ndjson\.zip$/);
  const files = unzipSync(new Uint8Array(await readFile(await download.path())));
  expect(Object.keys(files)).toEqual([
    'drover-activity.ndjson',
    'drover-performance-5min.ndjson',
    'drover-model-events.ndjson',
  ]);
  const lines = strFromU8(files['drover-activity.ndjson'] ?? new Uint8Array())
    .trimEnd()
    .split('\n');
  expect(lines.length).toBeGreaterThan(1000);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'request', hostId: expect.any(String) });

  // Taken off by hand it is not fetched by itself.
  await storage.keepAtMost(100);
  await expect(storage.days.nth(1)).not.toContainText(/not here|in part/, { timeout: 90_000 });
  await storage.act(oldest, 'Remove from this device');
  await expect(oldest).toContainText(/not here|in part/, { timeout: 30_000 });
});
