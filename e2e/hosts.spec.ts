import { activityOf, addHost, command, expect, pair, test } from './fixtures.ts';
import { ActivityPage } from './page-models/activity-page.ts';
import { AppFrame } from './page-models/app-frame.ts';
import { FleetPage } from './page-models/fleet-page.ts';
import { HostFormPage } from './page-models/host-form-page.ts';

test.beforeEach(async ({ context, drover }) => {
  await pair(context.request, drover);
});

test('a host added by its address is live in the page in less than 3 s @laptop', async ({ page, drover }) => {
  const emulator = await drover.emulator(['--models', '4']);
  await page.goto(drover.origin);
  const fleet = new FleetPage(page);
  await fleet.addHost.click();
  const form = new HostFormPage(page);
  await form.address.fill(emulator.url);
  await form.name.fill('bluefin');
  await form.test();
  await expect(form.verdict).toContainText('llama-swap v250, 4 models, 2 GPUs.');
  await expect(form.add).toHaveText('Add bluefin');
  await form.add.click();
  const { root } = fleet.card('bluefin');
  await expect(root).toContainText('Live', { timeout: 3000 });
  await expect(root).toContainText('4 stopped');
});

test('Test beside an address on the first page tests at once, and the verdict is on the screen', async ({
  page,
  drover,
}) => {
  const emulator = await drover.emulator(['--models', '4']);
  await page.goto(drover.origin);
  const fleet = new FleetPage(page);
  await fleet.testAddress(emulator.url);
  const form = new HostFormPage(page);
  await expect(form.verdict).toContainText('llama-swap v250, 4 models, 2 GPUs.');
  await expect(form.verdict).toBeInViewport({ ratio: 0.5 });
  await expect(form.address).toHaveValue(emulator.url);

  // A link says which address, not that it is to be tested.
  await page.goto(`${drover.origin}/hosts/add?url=${encodeURIComponent('http://127.0.0.1:1')}`);
  await expect(form.address).toHaveValue('http://127.0.0.1:1');
  await expect(new AppFrame(page).says('Live')).toBeVisible();
  await expect(form.verdict).toHaveText(/^Test says here/);

  await page.goto(drover.origin);
  await fleet.testAddress('box.lan');
  await expect(page.getByRole('alert')).toBeVisible();
});

test('the demo fleet can be tried beside an own host, and goes without it @laptop', async ({
  page,
  drover,
  context,
}) => {
  const emulator = await drover.emulator();
  await addHost(context.request, drover, { id: 'bluefin', url: emulator.url });
  await page.goto(`${drover.origin}/hosts/add`);
  const fleet = new FleetPage(page);
  await fleet.startDemo();
  await expect(fleet.cards).toHaveCount(4);
  await page.goto(`${drover.origin}/settings/hosts`);
  await fleet.removeDemo();
  await expect(page.getByRole('button', { name: 'Start the demo fleet' })).toBeEnabled();
  await page.goto(drover.origin);
  await expect(fleet.cards).toHaveCount(1);
  await expect(fleet.card('bluefin').root).toContainText('Live');
});

test('Test says in plain words what is at an address', async ({ page, drover, context }) => {
  const emulator = await drover.emulator(['--key', 'right-key']);
  const imposter = await drover.emulator();
  await command(context.request, imposter, 'front-door', { kind: 'html' });
  await page.goto(`${drover.origin}/hosts/add`);
  const form = new HostFormPage(page);

  await form.address.fill('http://127.0.0.1:1');
  await form.test();
  await expect(form.verdict).toContainText('127.0.0.1:1');
  await expect(form.verdict).toContainText('no answer');
  await expect(form.verdict).toContainText('not known yet');
  await expect(form.add).toHaveText('Add anyway, as “down”');

  await form.address.fill(imposter.url);
  await form.test();
  await expect(form.verdict).toContainText('not llama-swap');
  await expect(form.add).toBeDisabled();

  await form.address.fill(drover.origin.replace(String(drover.cable.port), String(drover.server.port)));
  await form.test();
  await expect(form.verdict).toContainText('Drover itself');

  await form.address.fill(emulator.url);
  await form.test();
  await expect(form.verdict).toContainText('wants a key');
  await expect(form.add).toHaveText('Add anyway, as “key refused”');
  await form.key.fill('right-key');
  await form.name.fill('tern');
  await form.test();
  await expect(form.verdict).toContainText('llama-swap v250');
  await form.add.click();
  await expect(new FleetPage(page).card('tern').root).toContainText('Live');
  expect(await page.content()).not.toContain('right-key');
});

test('a host whose key stops working says so and gets another one', async ({ page, drover, context }) => {
  const emulator = await drover.emulator(['--key', 'old-key']);
  await addHost(context.request, drover, { id: 'tern', url: emulator.url, key: 'old-key' });
  await page.goto(drover.origin);
  const fleet = new FleetPage(page);
  const { root } = fleet.card('tern');
  await expect(root).toContainText('Live');
  await command(context.request, emulator, 'keys', { apiKeys: ['new-key'] });
  await expect(root).toContainText('Key refused');
  await expect(fleet.needsYou).toContainText('tern refuses the key');
  await root.getByRole('link', { name: 'Replace key' }).click();
  const form = new HostFormPage(page);
  await form.key.fill('new-key');
  await form.save.click();
  await expect(root).toContainText('Live');
  await expect(fleet.needsYou).toHaveCount(0);
});

test('edit, pause and remove do what they say, and say what happens', async ({ page, drover, context }) => {
  const emulator = await drover.emulator();
  await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
  await command(context.request, emulator, 'activity', { count: 3 });
  await page.goto(drover.origin);
  const fleet = new FleetPage(page);
  await expect(fleet.card('marlin').root).toContainText('Live');

  await fleet.card('marlin').choose('Edit');
  const form = new HostFormPage(page);
  await expect(form.address).toHaveValue(emulator.url);
  await form.name.fill('marlin-2');
  await form.save.click();
  const card = fleet.card('marlin-2');
  await expect(card.root).toContainText('Live');

  await card.choose('Pause monitoring');
  await expect(card.root).toContainText('Paused');
  await expect(card.root).toContainText('nothing is asked of it');
  await expect(card.root).not.toContainText('Live');
  await card.choose('Resume monitoring');
  await expect(card.root).toContainText('Live');

  await card.choose('Remove');
  const dialog = page.getByRole('dialog', { name: 'Remove marlin-2?' });
  await expect(dialog).toContainText('Its history stays');
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await expect(card.root).toBeVisible();
  await card.choose('Remove');
  await dialog.getByRole('button', { name: 'Remove marlin-2' }).click();
  await expect(fleet.cards).toHaveCount(0);
  await new AppFrame(page).open('Activity');
  await expect(new ActivityPage(page).rows).toHaveCount(3);
});

test('a host that dies is reconnecting, then down with its last-known models aged; back again nothing is doubled or lost', async ({
  page,
  drover,
  context,
}) => {
  test.slow();
  const emulator = await drover.emulator(['--models', '3']);
  await addHost(context.request, drover, { id: 'kestrel', url: emulator.url });
  await command(context.request, emulator, 'load', { modelId: 'demo-1' });
  await command(context.request, emulator, 'activity', { count: 5 });
  await page.goto(drover.origin);
  const fleet = new FleetPage(page);
  const { root } = fleet.card('kestrel');
  await expect(fleet.card('kestrel').model('demo-1')).toContainText('ready');

  await emulator.kill('SIGKILL');
  await expect(root).toContainText('Reconnecting');
  await expect(root).toContainText(/Attempt \d+/);
  await expect(root).toContainText(/Down \d+ s/, { timeout: 45_000 });
  await expect(root).toContainText('Connection refused since');
  await expect(fleet.card('kestrel').model('demo-1')).toContainText('was ready since');
  await expect(root).toContainText(/as of \d\d:\d\d/);
  await expect(root).not.toContainText(/\bLive\b/);
  await expect(fleet.needsYou).toContainText('kestrel is down');

  const again = await drover.emulator(['--models', '3', '--port', String(emulator.port)]);
  await expect(root).toContainText('Live', { timeout: 45_000 });
  await expect(fleet.needsYou).toHaveCount(0);
  await command(context.request, again, 'activity', { count: 4 });
  await new AppFrame(page).open('Activity');
  const activity = new ActivityPage(page);
  // Nothing ran while it was away, so nothing can be missing: no gap is told.
  await expect(activity.counts).toContainText('9 requests');
  await expect(activity.rows).toHaveCount(9);
  await expect(activity.gaps).toHaveCount(0);
  expect(await activityOf(context.request, drover)).toHaveLength(9);
});

test('what ran while the stream was cut is fetched; a gap stands only where the host forgot', async ({
  page,
  drover,
  context,
}) => {
  const emulator = await drover.emulator();
  await addHost(context.request, drover, { id: 'heron', url: emulator.url });
  await page.goto(`${drover.origin}/activity`);
  const activity = new ActivityPage(page);
  await command(context.request, emulator, 'activity', { count: 2 });
  await expect(activity.counts).toContainText('2 requests');

  await command(context.request, emulator, 'activity', { count: 6, announce: false });
  await command(context.request, emulator, 'cut-events');
  await expect(activity.counts).toContainText('8 requests');
  await expect(activity.gaps).toHaveCount(0);

  // Its ring holds 1,000: of 1,200 that nobody heard, 200 are forgotten.
  await command(context.request, emulator, 'activity', { count: 1200, announce: false });
  await command(context.request, emulator, 'cut-events');
  await expect(activity.counts).toContainText('1,008 requests');
  await activity.failures.click();
  await expect(activity.rows).toHaveCount(1);
  await expect(activity.gaps).toContainText('200 requests');
  await expect(activity.gaps).toContainText('More ran than the host remembers');
});

test('who is no admin reads why hosts cannot be added', async ({ browser, drover }) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const code = await drover.newCode('operator');
  await pair(context.request, drover, { code, label: 'ben-laptop' });
  const page = await context.newPage();
  await page.goto(`${drover.origin}/settings/hosts`);
  const add = page.getByRole('button', { name: 'Add host' });
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText('Only an admin can change hosts.')).toBeVisible();
  await add.press('Enter');
  await expect(page).toHaveURL(/\/settings\/hosts$/);
  await context.close();
});
