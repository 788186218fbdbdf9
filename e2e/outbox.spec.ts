import type { BrowserContext, Page } from 'playwright/test';
import { z } from 'zod';
import type { RunningProcess } from '../server/testing/processes.ts';
import { addHost, command, expect, type Installation, pair, test } from './fixtures.ts';
import { AppFrame, untilInstalled } from './page-models/app-frame.ts';
import { FleetPage, type HostCard } from './page-models/fleet-page.ts';
import { ModelSheet } from './page-models/model-sheet.ts';

const MINUTE_MS = 60_000;
const effectsReply = z.object({ effects: z.array(z.object({ kind: z.string() })) });

/** What the host really did, by its own log. */
async function effectsOf(context: BrowserContext, emulator: RunningProcess): Promise<readonly string[]> {
  const reply = await context.request.get(`${emulator.url}/_emulator/effects`);
  return effectsReply.parse(await reply.json()).effects.map(({ kind }) => kind);
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
  expect(await effectsOf(context, emulator)).not.toContain('unloading');

  await comeBack(context, drover);
  await expect(card.model('demo-1')).toContainText('stopped');
  await later.reload();
  await expect(new AppFrame(later).says('Live')).toBeVisible();
  await drover.killAndRestart();
  await expect(new AppFrame(later).says('Live')).toBeVisible();
  const effects = await effectsOf(context, emulator);
  expect(effects.filter((kind) => kind === 'unloading')).toHaveLength(1);
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
  expect(await effectsOf(context, emulator)).not.toContain('unloading');
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
  expect(await effectsOf(context, emulator)).not.toContain('unloading');
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
  await page.goto(origin);
  await expect(new AppFrame(page).says('Live, not kept offline')).toBeVisible();
  const remote = new FleetPage(page).card('bluefin');
  await remote.root.getByRole('button', { name: /stopped/ }).click();
  const sheet = await ModelSheet.open(page, remote, 'demo-2');
  await sheet.choose('Load');
  await expect(remote.row('demo-2')).toContainText('ready');
  await context.close();
});
