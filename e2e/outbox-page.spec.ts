import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright/test';
import { z } from 'zod';
import type { RunningProcess } from '../server/testing/processes.ts';
import { addHost, command, expect, type Installation, pair, test } from './fixtures.ts';
import { AppFrame, untilInstalled } from './page-models/app-frame.ts';
import { OutboxPage, Palette } from './page-models/outbox-page.ts';
import { seriousViolations } from './serious-violations.ts';

const MINUTE_MS = 60_000;
const LAPTOP = { viewport: { width: 1440, height: 900 } } as const;
const effectsReply = z.object({
  effects: z.array(z.object({ kind: z.string(), modelId: z.string().nullish() })),
});
const exported = z.array(z.object({ kind: z.string(), state: z.string() }));

async function goOffline(context: BrowserContext, drover: Installation): Promise<void> {
  drover.cable.cut();
  await context.setOffline(true);
}

async function comeBack(context: BrowserContext, drover: Installation): Promise<void> {
  drover.cable.restore();
  await context.setOffline(false);
}

/** How often the host began to load a model. */
async function loadsOf(emulator: RunningProcess, model: string): Promise<number> {
  const reply = await fetch(`${emulator.url}/_emulator/effects`);
  const { effects } = effectsReply.parse(await reply.json());
  return effects.filter(({ kind, modelId }) => kind === 'loading' && modelId === model).length;
}

const calls = new AbortController();

/** A request that runs until it is cut, or until the tests are over. */
function startCall(emulator: RunningProcess, modelId: string): void {
  void fetch(`${emulator.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: modelId,
      stream: true,
      max_tokens: 4000,
      messages: [{ role: 'user', content: 'hello [stall]' }],
    }),
    signal: calls.signal,
  })
    .then((reply) => reply.text())
    // Cut by what is tried here, or by the end.
    .catch(() => undefined);
}
test.afterAll(() => calls.abort());

/** `bluefin` with `demo-1` ready, and this device in front of its page. */
async function open(
  page: Page,
  context: BrowserContext,
  drover: Installation,
  path: string,
): Promise<RunningProcess> {
  await pair(context.request, drover);
  const emulator = await drover.emulator(['--models', '3']);
  await addHost(context.request, drover, { id: 'bluefin', url: emulator.url });
  await command(context.request, emulator, 'load', { modelId: 'demo-1' });
  await page.goto(`${drover.origin}${path}`);
  await expect(new AppFrame(page).says('Live')).toBeVisible();
  return emulator;
}

test('what is asked without a network waits here, outlives a reload, and its outcome is told', async ({
  page,
  context,
  drover,
}) => {
  test.slow();
  const emulator = await open(page, context, drover, '/');
  const frame = new AppFrame(page);
  const outbox = new OutboxPage(page);
  await expect(page.getByText('demo-1').first()).toBeVisible();
  await untilInstalled(page);
  await goOffline(context, drover);
  await expect(frame.says('Offline')).toBeVisible();
  await new Palette(page).choose('load demo-2', 'Load demo-2 on bluefin');
  await expect(page.getByText('1 action waits on this device.')).toBeVisible();
  await page.getByRole('link', { name: 'Show' }).click();

  await expect(frame.title).toHaveText('Outbox');
  const waiting = outbox.item('On this device', 'Load demo-2');
  await expect(waiting).toContainText('queued here');
  await expect(waiting).toContainText(/\d:\d\d left/);
  await waiting.getByRole('button', { name: 'Change expiry' }).click();
  await page.getByRole('button', { name: /^For 1 h more/ }).click();
  await expect(waiting).toContainText(/void (?:\w+ \d+ \w+, )?\d\d:\d\d/);
  expect(await seriousViolations(page)).toEqual([]);
  await page.reload();
  await expect(waiting).toContainText('queued here');
  await expect(page.getByRole('link', { name: /^Outbox/ })).toContainText('1');

  await frame.open('Activity');
  await comeBack(context, drover);
  await expect(frame.notice).toContainText('Load demo-2 on bluefin');
  await expect(frame.notice).toContainText(/Done\. Ready after \d+ m?s/);
  await frame.notice.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByRole('dialog', { name: 'Load demo-2 on bluefin' })).toContainText(
    'Queued on ana-phone',
  );
  expect(await loadsOf(emulator, 'demo-2')).toBe(1);
});

test('what waited past five minutes is shown beside what is there now, and only what is ticked is sent', async ({
  page,
  context,
  drover,
}) => {
  test.slow();
  await open(page, context, drover, '/outbox');
  const outbox = new OutboxPage(page);
  const palette = new Palette(page);
  await untilInstalled(page);
  await goOffline(context, drover);
  await expect(new AppFrame(page).says('Offline')).toBeVisible();
  await palette.choose('load demo-2', 'Load demo-2 on bluefin');
  await palette.choose('load demo-3', 'Load demo-3 on bluefin');
  await palette.choose('pause', 'Pause monitoring of bluefin');
  for (const title of ['Load demo-2', 'Load demo-3']) {
    await outbox.item('On this device', title).getByRole('button', { name: 'Change expiry' }).click();
    await page.getByRole('button', { name: /^For 1 h more/ }).click();
    await expect(outbox.item('On this device', title)).toContainText('void');
  }
  await page.clock.install({ time: Date.now() + 10 * MINUTE_MS });
  await page.reload();
  await expect(outbox.item('Expired here', 'Pause monitoring')).toContainText('5 min after you asked');

  await comeBack(context, drover);
  const review = page.getByRole('dialog', { name: /^Back after \d+ min/ });
  await expect(review).toContainText('2 actions are still on this device');
  await expect(review).toContainText('1 expired, never sent');
  await expect(review).toContainText('Now: stopped; demo-1 is ready there.');
  expect(await seriousViolations(page)).toEqual([]);
  await review.getByRole('button', { name: 'Decide later: nothing is sent' }).click();
  await expect(review).toHaveCount(0);
  await expect(outbox.section('On this device').getByRole('listitem')).toHaveCount(2);

  await page.reload();
  await review.getByRole('checkbox', { name: 'Load demo-3' }).uncheck();
  await review.getByRole('button', { name: 'Send 1, drop 1' }).click();
  await expect(outbox.item('Ended today', 'Load demo-2')).toContainText('Done');
  await expect(outbox.item('Ended today', 'Load demo-3')).toContainText('Dropped');
});

test('an unload that would cut more than was agreed to is confirmed again where the count stands @laptop-only', async ({
  page,
  context,
  drover,
}) => {
  const emulator = await open(page, context, drover, '/outbox');
  const outbox = new OutboxPage(page);
  startCall(emulator, 'demo-1');
  // Only once the collector knows of the call is there anything to agree to.
  const watching = await context.newPage();
  await watching.goto(`${drover.origin}/hosts/bluefin`);
  await expect(watching.getByText('1 running').first()).toBeVisible();
  await watching.close();
  const asked = await context.request.post(`${drover.origin}/api/intents`, {
    data: {
      id: '0192a5b4-7c1d-4e2f-8a3b-4c5d6e7f8091',
      kind: 'model.unload',
      target: { hostId: 'bluefin', modelId: 'demo-1' },
      confirm: { hostId: 'bluefin', modelId: 'demo-1', inFlight: 0 },
    },
  });
  expect(asked.status()).toBe(202);
  const item = outbox.item('Needs you', 'Unload demo-1');
  await expect(item).toContainText('1 request was running; you had confirmed 0');
  await expect(page.getByRole('link', { name: /^Outbox/ }).first()).toContainText('1');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(outbox.detail).toContainText('You saw');
  await expect(outbox.detail.getByRole('row', { name: 'Running requests' })).toContainText('011');
  await expect(outbox.detail).toContainText('Running on it now');
  expect(await seriousViolations(page)).toEqual([]);
  await outbox.detail.getByRole('button', { name: 'Unload, cut 1 request' }).click();
  await expect(outbox.section('Needs you')).toHaveCount(0);
  await expect(
    outbox.section('Ended today').getByRole('listitem').filter({ hasText: 'Unloaded after' }),
  ).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(outbox.detail).toHaveCount(0);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const entries = exported.parse(JSON.parse(await readFile(await download.path(), 'utf8')));
  expect(entries.map(({ state }) => state)).toEqual(['succeeded', 'needs_confirmation']);
});

test('an action waits for its host, is cancelled by a key, and asked for again @laptop-only', async ({
  page,
  context,
  drover,
}) => {
  await open(page, context, drover, '/outbox');
  await addHost(context.request, drover, { id: 'kestrel', url: 'http://127.0.0.1:1' });
  const outbox = new OutboxPage(page);
  await expect(page.getByText('Nothing waits.')).toBeVisible();
  const asked = await context.request.post(`${drover.origin}/api/intents`, {
    data: {
      id: '0192a5b4-7c1d-4e2f-8a3b-4c5d6e7f8092',
      kind: 'model.load',
      target: { hostId: 'kestrel', modelId: 'phi-4' },
      whenDown: 'wait',
    },
  });
  expect(asked.status()).toBe(202);
  await expect(outbox.item('Under way', 'Load phi-4')).toContainText('Waiting until kestrel is back');
  await page.keyboard.press('j');
  await page.keyboard.press('c');
  const ended = outbox.item('Ended today', 'Load phi-4');
  await expect(ended).toContainText('Cancelled by you before it was claimed');
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await expect(outbox.item('Under way', 'Load phi-4')).toContainText('Waiting');

  await page.getByText('Mine', { exact: true }).click();
  await expect(page).toHaveURL(/who=mine/);
  await page.getByRole('button', { name: 'Filter by host: All hosts' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'bluefin' }).click();
  await expect(page.getByText('Nothing matches.')).toBeVisible();
});

test('the palette finds and acts, and says to a viewer why not @laptop-only', async ({
  page,
  context,
  browser,
  drover,
}) => {
  await open(page, context, drover, '/activity');
  const palette = new Palette(page);
  await palette.open();
  await palette.field.fill('unload demo-1');
  await expect(palette.items.first()).toContainText('Unload demo-1 on bluefin');
  await expect(palette.items.first()).toContainText('idle');
  expect(await seriousViolations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(palette.root).toHaveCount(0);
  const frame = new AppFrame(page);
  await expect(frame.notice).toContainText('Unload demo-1 on bluefin');
  await expect(frame.notice).toContainText('Unloaded after');
  await palette.choose('outb', 'Outbox');
  await expect(frame.title).toHaveText('Outbox');
  await page.goBack();
  await expect(frame.title).toHaveText('Activity');

  const other = await browser.newContext(LAPTOP);
  await pair(other.request, drover, { code: await drover.newCode('viewer'), label: 'guest' });
  const theirs = await other.newPage();
  await theirs.goto(`${drover.origin}/outbox`);
  await expect(new AppFrame(theirs).says('Live')).toBeVisible();
  const looking = new Palette(theirs);
  await looking.open();
  await looking.field.fill('load demo-2');
  await expect(looking.items.first()).toContainText('Your role is viewer: you may look.');
  await expect(looking.items.first()).toHaveAttribute('aria-disabled', 'true');
  await other.close();
});

test('two people who want different things each see one outcome and why @laptop-only', async ({
  page,
  context,
  browser,
  drover,
}) => {
  await open(page, context, drover, '/activity');
  const other = await browser.newContext(LAPTOP);
  await pair(other.request, drover, { code: await drover.newCode('operator'), label: 'Ben' });
  const ask = (by: BrowserContext, id: string, kind: string) =>
    by.request.post(`${drover.origin}/api/intents`, {
      data: {
        id: `0192a5b4-7c1d-4e2f-8a3b-4c5d6e7f80${id}`,
        kind,
        target: { hostId: 'bluefin', modelId: 'demo-2' },
      },
    });
  await ask(context, '01', 'model.load');
  await ask(other, '02', 'model.unload');
  const frame = new AppFrame(page);
  await expect(frame.notice).toContainText(/Ben’s “Unload demo-2” was done after your “Load demo-2”/);
  const theirs = await other.newPage();
  await theirs.goto(`${drover.origin}/outbox`);
  await expect(new OutboxPage(theirs).item('Ended today', 'Unload demo-2')).toContainText(
    /Done, after ana-phone’s “Load demo-2”, received/,
  );
  await other.close();
});
