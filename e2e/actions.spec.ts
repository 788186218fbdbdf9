import type { APIRequestContext, Browser, BrowserContext, Page } from 'playwright/test';
import { z } from 'zod';
import type { RunningProcess } from '../server/testing/processes.ts';
import { addHost, command, expect, type Installation, pair, test } from './fixtures.ts';
import { AppFrame, untilInstalled } from './page-models/app-frame.ts';
import { FleetPage } from './page-models/fleet-page.ts';
import { HostPage } from './page-models/host-page.ts';
import { seriousViolations } from './serious-violations.ts';

const effectsReply = z.object({
  effects: z.array(z.object({ kind: z.string(), modelId: z.string().nullish() })),
});

/** How often the emulated host did something to a model. */
async function effectCount(
  request: APIRequestContext,
  emulator: RunningProcess,
  kind: string,
  modelId: string,
): Promise<number> {
  const reply = await request.get(`${emulator.url}/_emulator/effects`);
  const { effects } = effectsReply.parse(await reply.json());
  return effects.filter((effect) => effect.kind === kind && effect.modelId === modelId).length;
}

/** Requests that run until they are cut, or until the test ends them. */
class Callers {
  readonly #ended = new AbortController();

  start(emulator: RunningProcess, modelId: string): void {
    const body = {
      model: modelId,
      stream: true,
      max_tokens: 4000,
      messages: [{ role: 'user', content: 'hello [stall]' }],
    };
    void fetch(`${emulator.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: this.#ended.signal,
    })
      .then((reply) => reply.text())
      // Cut off by what is tried here, or by the end of the test.
      .catch(() => undefined);
  }

  end(): void {
    this.#ended.abort();
  }
}

const callers = new Callers();
test.afterAll(() => callers.end());

/** Another person's device. */
async function otherDevice(
  browser: Browser,
  drover: Installation,
  label: string,
  role: 'viewer' | 'operator',
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await pair(context.request, drover, { code: await drover.newCode(role), label });
  return context;
}

/** The page of a host with `demo-1` to `demo-3`, live. */
async function openHost(page: Page, drover: Installation): Promise<HostPage> {
  await page.goto(`${drover.origin}/hosts/bluefin`);
  const host = new HostPage(page);
  await expect(host.models).toHaveCount(3);
  await expect(new AppFrame(page).says('Live')).toBeVisible();
  return host;
}

async function bluefin(
  request: APIRequestContext,
  drover: Installation,
  era = 'v250',
): Promise<RunningProcess> {
  const emulator = await drover.emulator(['--models', '3', '--era', era]);
  await addHost(request, drover, { id: 'bluefin', url: emulator.url });
  return emulator;
}

/** The same with `demo-1` loaded. */
async function openLoaded(
  page: Page,
  drover: Installation,
  era?: string,
): Promise<{ readonly emulator: RunningProcess; readonly host: HostPage }> {
  const emulator = await bluefin(page.request, drover, era);
  await command(page.request, emulator, 'load', { modelId: 'demo-1' });
  return { emulator, host: await openHost(page, drover) };
}

test.beforeEach(async ({ context, drover }) => {
  await pair(context.request, drover, { label: 'ana-phone' });
});

test('a load is under way in its row until the model is ready, and is done once @laptop', async ({
  page,
  context,
  drover,
}) => {
  const emulator = await bluefin(context.request, drover);
  const host = await openHost(page, drover);
  await host.button('Load', 'demo-2').dblclick();
  await expect(host.model('demo-2')).toContainText(/queued here|sent|received|running/);
  await expect(host.model('demo-2')).toContainText('ready');
  await expect(host.actions).toContainText(/Load demo-2.*you · \d\d:\d\d, took \d+ m?s/);
  expect(await effectCount(context.request, emulator, 'loaded', 'demo-2')).toBe(1);
});

test('an unload that cuts requests says whom, counts on, and does it once it is agreed to', async ({
  page,
  context,
  drover,
}) => {
  const { emulator, host } = await openLoaded(page, drover);
  callers.start(emulator, 'demo-1');
  await expect(host.model('demo-1')).toContainText('1 running');
  await host.button('Unload', 'demo-1').click();
  await expect(host.sheet).toContainText('Unload demo-1 on bluefin?');
  await expect(host.choice('Unload and cut 1 request')).toBeVisible();
  callers.start(emulator, 'demo-1');
  await expect(host.sheet).toContainText('2 requests are running on it.');
  await expect(host.sheet.getByRole('listitem')).toHaveCount(2);
  await expect(host.sheet).toContainText(/ received|waiting for the first byte/);
  expect(await seriousViolations(page)).toEqual([]);

  await host.choice('Keep it loaded').click();
  await expect(host.sheet).toHaveCount(0);
  await expect(host.model('demo-1')).toContainText('2 running');
  expect(await effectCount(context.request, emulator, 'unloaded', 'demo-1')).toBe(0);

  await host.button('Unload', 'demo-1').click();
  await host.choice('Unload and cut 2 requests').click();
  await expect(host.model('demo-1')).toContainText('stopped');
  expect(await effectCount(context.request, emulator, 'unloaded', 'demo-1')).toBe(1);
});

test('“only if idle” leaves a busy model alone and says so', async ({ page, context, drover }) => {
  const { emulator, host } = await openLoaded(page, drover);
  callers.start(emulator, 'demo-1');
  await expect(host.model('demo-1')).toContainText('1 running');
  await host.button('Unload', 'demo-1').click();
  await host.choice('Unload only if idle').click();
  await expect(host.actions).toContainText(/Unload demo-1.*not accepted/);
  await expect(host.model('demo-1')).toContainText('ready');
  expect(await effectCount(context.request, emulator, 'unloaded', 'demo-1')).toBe(0);
});

test('a host that does not say what runs is asked about as unknown', async ({ page, context, drover }) => {
  const { emulator, host } = await openLoaded(page, drover, 'v217');
  await expect(host.running).toContainText('does not say what runs');
  await host.button('Unload', 'demo-1').click();
  await expect(host.sheet).toContainText('How many requests run on it is not known.');
  await host.choice('Unload whatever runs: count unknown').click();
  await expect(host.model('demo-1')).toContainText('stopped');
  expect(await effectCount(context.request, emulator, 'unloaded', 'demo-1')).toBe(1);
});

test('a load on a sleeping host says that it wakes the machine, asks, and then does', async ({
  page,
  context,
  drover,
}) => {
  const emulator = await bluefin(context.request, drover);
  const host = await openHost(page, drover);
  await command(context.request, emulator, 'front-door', {
    kind: 'wol-proxy',
    asleep: true,
    wakeAfterMs: 200,
  });
  await command(context.request, emulator, 'cut-events');
  await expect(page.getByText('Asleep', { exact: true }).first()).toBeAttached();
  await host.button('Load', 'demo-2').click();
  await expect(host.sheet).toContainText('bluefin is asleep; this will wake the machine.');
  expect(await effectCount(context.request, emulator, 'loaded', 'demo-2')).toBe(0);
  await host.choice('Wake bluefin and load').click();
  await expect(host.model('demo-2')).toContainText('ready', { timeout: 40_000 });
  expect(await effectCount(context.request, emulator, 'loaded', 'demo-2')).toBe(1);
});

test('one running request is cut, from the host and from the fleet', async ({ page, context, drover }) => {
  const { emulator, host } = await openLoaded(page, drover);
  for (let count = 0; count < 2; count += 1) callers.start(emulator, 'demo-1');
  const cut = page.getByRole('button', { name: 'Cancel this request of demo-1' });
  await expect(cut).toHaveCount(2);
  await cut.first().click();
  await expect(host.sheet).toContainText(/Cancel request \S+ of demo-1 on bluefin\?/);
  await expect(host.sheet.getByRole('listitem')).toHaveText(/\d:\d\d$/);
  await host.choice('Let it run').click();
  await expect(host.sheet).toHaveCount(0);
  expect(await effectCount(context.request, emulator, 'cancelled', 'demo-1')).toBe(0);
  await cut.first().click();
  await host.choice('Cut this request of demo-1').click();
  await expect(host.model('demo-1')).toContainText('1 running');
  await page.keyboard.press('Escape');
  await new AppFrame(page).open('Fleet');
  await expect(cut).toHaveCount(1);
  await cut.click();
  await host.choice('Cut this request of demo-1').click();
  await expect(page.getByText('Nothing runs.')).toBeVisible();
  expect(await effectCount(context.request, emulator, 'cancelled', 'demo-1')).toBe(2);
});

test('without a network it is queued on this device, and done when the network is back', async ({
  page,
  context,
  drover,
}) => {
  const { emulator, host } = await openLoaded(page, drover);
  await expect(host.model('demo-1')).toContainText('ready');
  // What asks first is no part of the first load: the app must be kept here before its network goes.
  await untilInstalled(page);
  drover.cable.cut();
  await context.setOffline(true);
  await expect(new AppFrame(page).says('Offline')).toBeVisible();
  await expect(host.model('demo-1')).toContainText('will queue');
  await host.button('Unload', 'demo-1').click();
  await expect(host.sheet).toContainText('It is queued here and sent when you are back.');
  await host.choice('Unload only if idle').click();
  await expect(page.getByText('Sent when you are back.')).toBeVisible();
  await expect(host.model('demo-1')).toContainText('queued here');
  expect(await effectCount(context.request, emulator, 'unloaded', 'demo-1')).toBe(0);

  drover.cable.restore();
  await context.setOffline(false);
  await expect(host.model('demo-1')).toContainText('stopped');
  await expect(host.actions).toContainText(/Unload demo-1.*you · \d\d:\d\d/);
  expect(await effectCount(context.request, emulator, 'unloaded', 'demo-1')).toBe(1);
});

test('a tap whose code cannot be fetched is answered, and does what was asked for once it can', async ({
  page,
  context,
  drover,
}) => {
  const emulator = await bluefin(context.request, drover);
  let isCut = true;
  await context.route(/\/assets\/act-host-/, (route) => (isCut ? route.abort() : route.continue()));
  const host = await openHost(page, drover);
  await host.button('Load', 'demo-2').click();
  const waiting = page.getByRole('dialog', { name: 'demo-2' });
  await expect(waiting).toContainText('could not be fetched');
  expect(await seriousViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(waiting).toHaveCount(0);
  await expect(host.button('Load', 'demo-2')).toBeFocused();

  await host.openModel('demo-3');
  await expect(page.getByRole('dialog', { name: 'demo-3' })).toContainText('could not be fetched');
  await page.goBack();
  await host.button('Load', 'demo-2').click();
  await expect(waiting).toContainText('could not be fetched');
  isCut = false;
  await waiting.getByRole('button', { name: 'Try again' }).click();
  await expect(host.model('demo-2')).toContainText('ready');
  await expect(waiting).toHaveCount(0);
  // Its styles too, which were refused as its code was.
  const styled = (): Promise<boolean> =>
    page.evaluate(() =>
      [...document.styleSheets].some(
        ({ href, cssRules }) => href?.includes('/act-host-') && cssRules.length > 0,
      ),
    );
  await expect.poll(styled).toBe(true);
  // What was given up was not done.
  expect(await effectCount(context.request, emulator, 'loaded', 'demo-2')).toBe(1);
});

test('what waits behind somebody else says so in both rows, and can be taken back @laptop', async ({
  page,
  browser,
  drover,
}) => {
  const { emulator, host } = await openLoaded(page, drover);
  callers.start(emulator, 'demo-1');
  await expect(host.model('demo-1')).toContainText('1 running');
  const ben = await otherDevice(browser, drover, 'ben-laptop', 'operator');
  const theirs = await openHost(await ben.newPage(), drover);
  await theirs.button('Load', 'demo-2').click();
  await expect(host.model('demo-2')).toContainText('ben-laptop: waiting behind demo-1');
  await host.button('Load', 'demo-3').click();
  await expect(host.model('demo-3')).toContainText('waiting behind Load demo-2 (ben-laptop)');
  await expect(theirs.model('demo-3')).toContainText('ana-phone: waiting behind Load demo-2');
  await expect(host.actions).toContainText('queue 1 of 4');
  expect(await seriousViolations(page)).toEqual([]);
  await host.model('demo-3').getByRole('button', { name: 'Cancel' }).click();
  await expect(host.button('Load', 'demo-3')).toBeVisible();
  // A load that runs is stopped by whoever may act.
  await host.model('demo-2').getByRole('button', { name: 'Abort' }).click();
  await expect(theirs.button('Load', 'demo-2')).toBeVisible();
  await ben.close();
});

test('two people at one host see each other, and who prepares the same @laptop', async ({
  page,
  context,
  browser,
  drover,
}) => {
  const emulator = await bluefin(context.request, drover);
  await command(context.request, emulator, 'load', { modelId: 'demo-1' });
  callers.start(emulator, 'demo-1');
  const host = await openHost(page, drover);
  const ben = await otherDevice(browser, drover, 'ben-laptop', 'operator');
  const theirs = await openHost(await ben.newPage(), drover);
  await expect(page.getByText('ben-laptop is here').first()).toBeAttached();
  await expect(theirs.model('demo-1')).toContainText('1 running');
  await theirs.button('Unload', 'demo-1').click();
  await expect(page.getByText('ben-laptop is here, preparing: Unload demo-1').first()).toBeAttached();
  await host.button('Unload', 'demo-1').click();
  await expect(host.sheet).toContainText('ben-laptop is preparing the same.');
  await ben.close();
  await expect(host.sheet).not.toContainText('ben-laptop is preparing the same.');
});

test('a viewer sees every action and why it is not theirs @laptop', async ({ browser, context, drover }) => {
  const emulator = await bluefin(context.request, drover);
  await command(context.request, emulator, 'load', { modelId: 'demo-1' });
  const viewer = await otherDevice(browser, drover, 'eva-tablet', 'viewer');
  const page = await viewer.newPage();
  const host = await openHost(page, drover);
  const unload = host.button('Unload', 'demo-1');
  await expect(unload).toHaveAttribute('aria-disabled', 'true');
  await expect(unload).toHaveAttribute('title', 'Your role is viewer: you may look.');
  await unload.click({ force: true });
  await host.openModel('demo-1');
  await expect(host.sheet).toContainText('Your role is viewer: you may look.');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'demo-1', exact: true }).focus();
  await page.keyboard.press('u');
  // The page says it too; a toast is what answers the key.
  await expect(page.locator('[role="region"] [role="dialog"]')).toContainText(
    'Your role is viewer: you may look.',
  );
  expect(await effectCount(context.request, emulator, 'unloaded', 'demo-1')).toBe(0);
  await viewer.close();
});

test('keys act on what has the focus, and go from host to host @laptop-only', async ({
  page,
  context,
  drover,
}) => {
  const emulator = await bluefin(context.request, drover);
  await addHost(context.request, drover, { id: 'tern', url: 'http://127.0.0.1:1' });
  await page.goto(drover.origin);
  const fleet = new FleetPage(page);
  const card = fleet.card('bluefin');
  await expect(card.root).toContainText('3 stopped');
  await card.root.getByText('3 stopped').click();
  await card.root.getByRole('button', { name: 'demo-2', exact: true }).focus();
  await page.keyboard.press('l');
  await expect(card.root).toContainText(/demo-2\s*ready/);
  await card.root.getByRole('button', { name: 'demo-2', exact: true }).first().focus();
  await page.keyboard.press('u');
  await expect(card.root).toContainText('3 stopped');
  await card.root.getByRole('link', { name: 'bluefin' }).focus();
  await page.keyboard.press('p');
  await expect(card.root).toContainText('Paused');
  await page.keyboard.press('p');
  await expect(card.root).toContainText('Live');
  await page.keyboard.press('e');
  await expect(new HostPage(page).sheet).toContainText('Unload all models on bluefin?');
  // Keys are dead under a sheet.
  await page.keyboard.press('p');
  await page.keyboard.press('Escape');
  await expect(card.root).toContainText('Live');

  await page.getByRole('textbox', { name: 'Filter hosts, models' }).or(page.getByRole('searchbox')).focus();
  await page.keyboard.type('p');
  await expect(card.root).toContainText('Live');
  await page.keyboard.press('Escape');

  await card.root.getByRole('link', { name: 'bluefin' }).focus();
  await page.keyboard.press('Enter');
  const host = new HostPage(page);
  await expect(host.title).toHaveText('bluefin');
  await page.keyboard.press(']');
  await expect(host.title).toHaveText('tern');
  await page.keyboard.press('[');
  await expect(host.title).toHaveText('bluefin');
  await page.keyboard.press('j');
  await expect(page.getByRole('button', { name: 'demo-1', exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(host.title).toHaveText('Fleet');
  expect(await effectCount(context.request, emulator, 'loaded', 'demo-2')).toBe(1);
  expect(await effectCount(context.request, emulator, 'unloaded', 'demo-2')).toBe(1);
});

test('a host that is down keeps its last inventory, and what is asked for may wait for it', async ({
  page,
  drover,
}) => {
  const { emulator, host } = await openLoaded(page, drover);
  await expect(host.model('demo-1')).toContainText('ready');
  await emulator.kill('SIGKILL');
  await expect(page.getByText(/^Down/).first()).toBeAttached({ timeout: 30_000 });
  await expect(host.model('demo-1')).toContainText('was ready');
  await expect(host.running).toContainText('Not known while the host is not heard.');
  expect(await seriousViolations(page)).toEqual([]);
  await host.button('Load', 'demo-2').click();
  await expect(host.sheet).toContainText('Load demo-2 when bluefin is back?');
  await expect(host.sheet).toContainText(/Void at (?:\w+ \d+ \w+, )?\d\d:\d\d/);
  await host.choice('Load it when it is back').click();
  await expect(host.model('demo-2')).toContainText('waiting until bluefin is back');
});
