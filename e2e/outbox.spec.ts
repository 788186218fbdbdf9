import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { BrowserContext, Page } from 'playwright/test';
import { z } from 'zod';
import type { RunningProcess } from '../server/testing/processes.ts';
import { addHost, command, expect, type Installation, pair, test } from './fixtures.ts';
import { AppFrame, untilInstalled } from './page-models/app-frame.ts';
import { FleetPage, type HostCard } from './page-models/fleet-page.ts';
import { HostPage } from './page-models/host-page.ts';
import { ModelSheet } from './page-models/model-sheet.ts';
import { PairPage } from './page-models/pair-page.ts';

const MINUTE_MS = 60_000;
const effectsReply = z.object({
  effects: z.array(z.object({ kind: z.string(), modelId: z.string().nullish() })),
});

/** What the host really did, by its own log: `unloading demo-1`. */
async function effectsOf(context: BrowserContext, emulator: RunningProcess): Promise<readonly string[]> {
  const reply = await context.request.get(`${emulator.url}/_emulator/effects`);
  const { effects } = effectsReply.parse(await reply.json());
  return effects.map(({ kind, modelId }) => `${kind} ${modelId ?? ''}`);
}

async function goOffline(context: BrowserContext, drover: Installation): Promise<void> {
  drover.cable.cut();
  await context.setOffline(true);
}

async function comeBack(context: BrowserContext, drover: Installation): Promise<void> {
  drover.cable.restore();
  await context.setOffline(false);
}

let emulator: RunningProcess;
let card: HostCard;

test.beforeEach(async ({ page, context, drover }) => {
  await pair(context.request, drover);
  emulator = await drover.emulator(['--models', '3']);
  await addHost(context.request, drover, { id: 'bluefin', url: emulator.url });
  await command(context.request, emulator, 'load', { modelId: 'demo-1' });
  await page.goto(drover.origin);
  card = new FleetPage(page).card('bluefin');
  await expect(card.model('demo-1')).toContainText('ready');
  await untilInstalled(page);
});

async function unloadOffline(page: Page, context: BrowserContext, drover: Installation): Promise<void> {
  await goOffline(context, drover);
  await expect(new AppFrame(page).says('Offline')).toBeVisible();
  const sheet = await ModelSheet.open(page, card, 'demo-1');
  await sheet.choose('Unload');
  await sheet.onlyIfIdle();
  await expect(card.model('demo-1')).toContainText('queued here');
}

test('an unload queued without a network outlives reload and closed page, and happens once', async ({
  page,
  context,
  drover,
}) => {
  await unloadOffline(page, context, drover);
  await page.reload();
  await expect(card.model('demo-1')).toContainText('queued here');
  await page.close();
  const later = await context.newPage();
  await later.goto(drover.origin);
  card = new FleetPage(later).card('bluefin');
  await expect(card.model('demo-1')).toContainText('queued here');
  expect(await effectsOf(context, emulator)).not.toContain('unloading demo-1');

  await comeBack(context, drover);
  await expect(card.model('demo-1')).toContainText('stopped');
  await later.reload();
  await expect(new AppFrame(later).says('Live')).toBeVisible();
  await drover.killAndRestart();
  await expect(new AppFrame(later).says('Live')).toBeVisible();
  const effects = await effectsOf(context, emulator);
  expect(effects.filter((effect) => effect === 'unloading demo-1')).toHaveLength(1);
});

test('two tabs are one queue: what one asked for offline the other takes back', async ({
  page,
  context,
  drover,
}) => {
  const other = await context.newPage();
  await other.goto(drover.origin);
  const row = new FleetPage(other).card('bluefin').model('demo-1');
  await expect(row).toContainText('ready');
  await unloadOffline(page, context, drover);
  await expect(row).toContainText('queued here');
  await row.getByRole('button', { name: /cancel/i }).click();
  await expect(card.model('demo-1')).not.toContainText('queued here');
  await comeBack(context, drover);
  await expect(new AppFrame(page).says('Live')).toBeVisible();
  await expect(new AppFrame(other).says('Live')).toBeVisible();
  await expect(card.model('demo-1')).toContainText('ready');
  expect(await effectsOf(context, emulator)).not.toContain('unloading demo-1');
});

test('what expired on the way is not done', async ({ page, context, drover }) => {
  await unloadOffline(page, context, drover);
  await page.clock.install({ time: Date.now() + 6 * MINUTE_MS });
  await page.reload();
  await expect(card.root).toBeVisible();
  await expect(card.model('demo-1')).not.toContainText('queued here');
  await comeBack(context, drover);
  await expect(new AppFrame(page).says('Live')).toBeVisible();
  await expect(card.model('demo-1')).toContainText('ready');
  expect(await effectsOf(context, emulator)).not.toContain('unloading demo-1');
});

for (const [words, skewMs] of [
  ['ahead', 10 * MINUTE_MS],
  ['behind', -10 * MINUTE_MS],
] as const) {
  test(`a device whose clock is ten minutes ${words} acts in time`, async ({ page, context, drover }) => {
    await page.clock.install({ time: Date.now() + skewMs });
    await page.goto(`${drover.origin}/hosts/bluefin`);
    const host = new HostPage(page);
    await host.button('Load', 'demo-2').click();
    await expect(host.model('demo-2')).toContainText('ready');
    await goOffline(context, drover);
    await expect(new AppFrame(page).says('Offline')).toBeVisible();
    await host.button('Load', 'demo-3').click();
    await comeBack(context, drover);
    await expect(host.model('demo-3')).toContainText('ready');
  });
}

test('a device that was removed while it was away loses its queue, and nothing of it is done', async ({
  page,
  context,
  drover,
}) => {
  await unloadOffline(page, context, drover);
  const db = new Database(join(drover.dataDir, 'drover.db'));
  db.prepare('UPDATE device SET revoked_at = ?').run(Date.now());
  db.close();
  await comeBack(context, drover);
  await expect(new PairPage(page).title).toBeVisible();
  await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
  await page.goto(drover.origin);
  await new PairPage(page).code.fill(await drover.newCode('admin'));
  await new PairPage(page).submit();
  await expect(card.model('demo-1')).toContainText('ready');
  await expect(card.model('demo-1')).not.toContainText('queued here');
  expect(await effectsOf(context, emulator)).not.toContain('unloading demo-1');
});

test('a session that ran out keeps the queue; what it holds is looked at before the next one sends it', async ({
  page,
  context,
  drover,
}) => {
  await unloadOffline(page, context, drover);
  const db = new Database(join(drover.dataDir, 'drover.db'));
  db.prepare('UPDATE device SET created_at = 1, last_seen_at = 1').run();
  db.close();
  await comeBack(context, drover);
  const frame = new AppFrame(page);
  await expect(frame.says('Sign in again')).toBeVisible();
  await expect(card.model('demo-1')).toContainText('queued here');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await new PairPage(page).code.fill(await drover.newCode('operator'));
  await new PairPage(page).submit();
  const review = page.getByRole('dialog', { name: /^Back after/ });
  await expect(review).toContainText('Unload demo-1');
  expect(await effectsOf(context, emulator)).not.toContain('unloading demo-1');
  await page.reload();
  await review.getByRole('button', { name: 'Send it' }).click();
  await expect(card.model('demo-1')).toContainText('stopped');
});

test('actions asked for while the network goes and the collector is killed end, and none happens twice', async ({
  page,
  context,
  drover,
}) => {
  test.setTimeout(180_000);
  await page.goto(`${drover.origin}/hosts/bluefin`);
  const host = new HostPage(page);
  const frame = new AppFrame(page);
  // What was asked for is kept once its row says so: nobody reloads between a tap and its answer.
  const reload = async (modelId: string): Promise<void> => {
    await expect(host.actions.getByRole('listitem').first()).toContainText(`Load ${modelId}`);
    await page.reload();
  };
  const disturbances: Readonly<
    Record<string, { readonly before?: () => unknown; readonly after?: (modelId: string) => unknown }>
  > = {
    'cut before': { before: () => drover.cable.cut() },
    'killed after': { after: () => drover.killAndRestart() },
    'cut after': { after: () => drover.cable.cut() },
    'killed before': { before: () => drover.server.kill('SIGKILL'), after: () => drover.killAndRestart() },
    'reloaded after': { after: reload },
    'cut, reloaded and killed': {
      before: () => drover.cable.cut(),
      after: async (modelId) => {
        await reload(modelId);
        await drover.killAndRestart();
      },
    },
  };
  const expected: string[] = [];
  for (const [index, [words, { before, after }]] of Object.entries(disturbances).entries()) {
    const modelId = index % 2 === 0 ? 'demo-2' : 'demo-3';
    await test.step(`${words}: ${modelId}`, async () => {
      await expect(frame.says('Live')).toBeVisible();
      await before?.();
      await host.button('Load', modelId).click();
      await after?.(modelId);
      drover.cable.restore();
      const newest = host.actions.getByRole('listitem').first();
      await expect(newest).toContainText(new RegExp(`Load ${modelId}.*(took|failed)`), { timeout: 30_000 });
      // Killed between "running" and the call, it is settled by what is found, and never sent again.
      if (!(await newest.innerText()).includes('failed')) expected.push(`loading ${modelId}`);
      const loads = await effectsOf(context, emulator);
      expect(loads.filter((effect) => /^loading demo-[23]$/.test(effect))).toEqual(expected);
    });
  }
});

test('a load over plain http from another machine is done while live', async ({ browser, drover }) => {
  const context = await browser.newContext();
  const origin = `http://drover.test:${drover.cable.port}`;
  const reply = await context.request.post(`${drover.origin}/api/pair`, {
    data: { code: await drover.newCode('operator'), label: 'ben-phone' },
  });
  const cookie = /drover_session=([^;]+)/.exec(reply.headers()['set-cookie'] ?? '')?.[1] ?? '';
  await context.addCookies([{ name: 'drover_session', value: cookie, domain: 'drover.test', path: '/' }]);
  const page = await context.newPage();
  await page.goto(`${origin}/hosts/bluefin`);
  await expect(new AppFrame(page).says('Live, not kept offline')).toBeVisible();
  const host = new HostPage(page);
  await host.button('Load', 'demo-2').click();
  await expect(host.model('demo-2')).toContainText('ready');
  expect(await effectsOf(context, emulator)).toContain('loaded demo-2');
  await context.close();
});
