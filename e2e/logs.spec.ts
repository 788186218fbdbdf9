import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { addHost, command, expect, pair, test } from './fixtures.ts';
import { untilInstalled } from './page-models/app-frame.ts';
import { LogsPage } from './page-models/logs-page.ts';

/** A task of the page that holds it up for longer is felt. */
const FROZEN_MS = 500;

declare global {
  interface Window {
    tasks: number[];
  }
}

/** Longest tasks of the page from now on. */
async function watchTasks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    window.tasks = [];
    new PerformanceObserver((list) =>
      window.tasks.push(...list.getEntries().map((entry) => entry.duration)),
    ).observe({
      entryTypes: ['longtask'],
    });
  });
  return () => page.evaluate(() => Math.max(0, ...window.tasks));
}

for (const era of ['v250', 'v262']) {
  test(`logs of a ${era} come live, stand still while read, and stay without the collector @laptop-only`, async ({
    page,
    context,
    drover,
  }) => {
    await pair(context.request, drover);
    const emulator = await drover.emulator(['--era', era]);
    await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
    await page.goto(`${drover.origin}/logs`);
    const logs = new LogsPage(page);
    await expect(logs.log).toBeVisible();
    const say = (text: string, model: string | null = null) =>
      command(context.request, emulator, 'log', { text, model });

    await say(
      '\u001b[31mCUDA error: out of memory\u001b[0m\nAuthorization: Bearer sk-abcdefgh1234\n',
      'demo-1',
    );
    await expect(logs.line('CUDA error: out of memory')).toBeVisible();
    await expect(logs.line('Authorization: [REDACTED]')).toBeVisible();
    await expect(page.getByText('sk-abcdefgh1234')).toHaveCount(0);

    await command(context.request, emulator, 'flood-logs', { lines: 300, perSecond: 3000 });
    await say('the last of them\n');
    await expect(logs.line('the last of them')).toBeVisible();
    await logs.scrollUp();
    const before = await logs.distanceToEnd();
    await say('came while it was read\n');
    await expect(logs.follow).toHaveText(/^[1-9]\d* new, follow$/);
    expect(await logs.distanceToEnd()).toBe(before);
    await page.keyboard.press(' ');
    await expect(logs.line('came while it was read')).toBeVisible();

    await logs.search.fill('out of (memory|luck)');
    await expect(page.getByText('1 line', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Next match' }).click();
    await expect(logs.line('CUDA error: out of memory').locator('mark')).toHaveText('out of memory');
    await logs.search.fill('(x+x+)+y');
    await expect(page.getByText('this pattern takes too long')).toBeVisible();
    await logs.search.fill('');

    await logs.choose('demo-1');
    await expect(page).toHaveURL(/model=demo-1/);
    await expect(logs.line('CUDA error: out of memory')).toBeVisible();
    await expect(logs.line('the last of them')).toHaveCount(0);

    await untilInstalled(page);
    await logs.untilKept(2);
    drover.cable.cut();
    await expect(page.getByText(/^As of /)).toBeVisible({ timeout: 60_000 });
    await expect(logs.line('CUDA error: out of memory')).toBeVisible();
    await page.reload();
    await expect(page.getByText(/^As of /)).toBeVisible({ timeout: 60_000 });
    await expect(logs.line('CUDA error: out of memory')).toBeVisible();
    drover.cable.restore();
    await expect(page.getByText(/^As of /)).toHaveCount(0, { timeout: 60_000 });
    await say('after the cut\n', 'demo-1');
    await expect(logs.line('after the cut')).toBeVisible();
  });
}

test('50,000 lines a second do not freeze the page; what was left out is said @laptop-only', async ({
  page,
  context,
  drover,
}) => {
  await pair(context.request, drover);
  const emulator = await drover.emulator(['--era', 'v250']);
  await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
  await page.goto(`${drover.origin}/logs`);
  const logs = new LogsPage(page);
  await expect(logs.line('Request')).not.toHaveCount(0);
  const longest = await watchTasks(page);
  await command(context.request, emulator, 'flood-logs', { lines: 150_000, perSecond: 50_000 });
  // A host leaves messages out for a reader whose queue is full, on a busy machine this one too.
  await expect(async () => {
    await command(context.request, emulator, 'log', { text: 'after the flood\n' });
    await expect(logs.line('after the flood').first()).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
  expect(await longest()).toBeLessThan(FROZEN_MS);
  await page.getByRole('button', { name: 'Level: All levels' }).click();
  await page.getByRole('menuitem', { name: 'Errors', exact: true }).click();
  await expect(logs.line('dropped by the collector').first()).toBeVisible();
});

test('a viewer is told why there is nothing to read', async ({ page, context, drover }) => {
  await pair(context.request, drover);
  const emulator = await drover.emulator();
  await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
  await context.clearCookies();
  await pair(context.request, drover, { code: await drover.newCode('viewer'), label: 'ben' });
  await page.goto(`${drover.origin}/logs`);
  await expect(page.getByText('operators and admins read them')).toBeVisible();
  await untilInstalled(page);
});

test('lines that the collector keeps outlive its end and the host’s, and are read and saved from the beginning @laptop', async ({
  page,
  context,
  drover,
}) => {
  test.slow();
  await pair(context.request, drover);
  const emulator = await drover.emulator(['--era', 'v262']);
  await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
  const say = (text: string) => command(context.request, emulator, 'log', { text });
  const keptLines = async (): Promise<string> => {
    const reply = await context.request.get(`${drover.origin}/api/logs?hostId=marlin`);
    return reply.text();
  };
  await say('nobody asked for this to be kept\n');
  await drover.killAndRestart(() => writeFile(join(drover.dataDir, 'drover.yaml'), 'logs: { keepMb: 5 }\n'));
  // Nobody watches but the archive.
  await expect
    .poll(async () => {
      await say('the first that is kept, by sk-abcdefgh1234\n');
      return keptLines();
    })
    .toContain('the first that is kept, by [REDACTED]');
  await drover.killAndRestart(() => command(context.request, emulator, 'restart'));
  await page.goto(`${drover.origin}/logs?host=marlin`);
  const logs = new LogsPage(page);
  await expect(logs.line('the first that is kept').first()).toBeVisible();

  await command(context.request, emulator, 'flood-logs', { lines: 6_000, perSecond: 800 });
  await say('after the flood\n');
  await expect(logs.line('after the flood')).toBeVisible({ timeout: 30_000 });
  await expect(logs.line('the first that is kept')).toHaveCount(0);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Download/ }).click();
  const text = await readFile(await saved.then((file) => file.path()), 'utf8');
  expect(text).toContain('the first that is kept, by [REDACTED]');
  expect(text.split('after the flood')).toHaveLength(2);
  await page.getByRole('button', { name: 'Earlier lines' }).click();
  await expect(page.getByRole('button', { name: /follow/i }).first()).toBeVisible();
});
