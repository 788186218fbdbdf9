import type { ActivityRow } from '#shared/schemas/activity.ts';
import { activityOf, addHost, command, expect, pair, test } from './fixtures.ts';
import { ActivityPage, type CsvRow } from './page-models/activity-page.ts';
import { AppFrame } from './page-models/app-frame.ts';

const ROUNDS = 3;

function keysOfServer(rows: readonly ActivityRow[]): Set<string> {
  return new Set(
    rows.flatMap((row) => (row.type === 'request' ? [`${row.hostId} ${row.idEpoch} ${row.id}`] : [])),
  );
}

function keysOfPage(rows: readonly CsvRow[]): readonly string[] {
  return rows.map(({ host, idEpoch, id }) => `${host} ${idEpoch} ${id}`);
}

test('the server is killed under load: the page converges and never shows what the server lacks @laptop-only', async ({
  page,
  context,
  drover,
}) => {
  test.slow();
  await pair(context.request, drover);
  const emulator = await drover.emulator(['--models', '2', '--rate', '40']);
  await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
  await page.goto(`${drover.origin}/activity`);
  const frame = new AppFrame(page);
  const activity = new ActivityPage(page);
  const shown = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    await expect(frame.says('Live')).toBeVisible();
    const before = (await activityOf(context.request, drover)).length;
    await expect
      .poll(async () => (await activityOf(context.request, drover)).length)
      .toBeGreaterThan(before + 40);
    for (const key of keysOfPage((await activity.csv()).requests)) shown.add(key);
    await drover.killAndRestart(async () => {
      await expect(frame.says('Reconnecting')).toBeVisible();
      for (const key of keysOfPage((await activity.csv()).requests)) shown.add(key);
    });
  }
  await expect(frame.says('Live')).toBeVisible();
  await command(context.request, emulator, 'traffic', { ratePerSecond: 0 });

  await expect
    .poll(async () => {
      const server = keysOfServer(await activityOf(context.request, drover));
      const client = keysOfPage((await activity.csv()).requests);
      return {
        doubled: client.length - new Set(client).size,
        missing: [...server].filter((key) => !client.includes(key)).length,
        extra: client.filter((key) => !server.has(key)).length,
      };
    })
    .toEqual({ doubled: 0, missing: 0, extra: 0 });
  const server = keysOfServer(await activityOf(context.request, drover));
  expect(
    [...shown].filter((key) => !server.has(key)),
    'rows once shown that the server lost',
  ).toEqual([]);
  expect(shown.size).toBeGreaterThan(100);
});

test('a server that is stopped by hand says that it restarts', async ({ page, context, drover }) => {
  await pair(context.request, drover);
  await page.goto(drover.origin);
  const frame = new AppFrame(page);
  await expect(frame.says('Live')).toBeVisible();
  await drover.server.kill('SIGTERM');
  await expect(frame.says('Collector restarting')).toBeVisible();
  await drover.killAndRestart();
  await expect(frame.says('Live')).toBeVisible();
});
