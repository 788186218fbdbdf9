import { AxeBuilder } from '@axe-core/playwright';
import type { APIRequestContext } from 'playwright/test';
import type { RunningProcess } from '../server/testing/processes.ts';
import { addHost, command, expect, pair, test } from './fixtures.ts';
import { ActivityPage } from './page-models/activity-page.ts';
import { untilInstalled } from './page-models/app-frame.ts';
import { Inspector } from './page-models/inspector.ts';

/** A streamed chat, as a coding agent sends one. */
async function chat(request: APIRequestContext, emulator: RunningProcess, content: string): Promise<void> {
  const reply = await request.post(`${emulator.url}/v1/chat/completions`, {
    headers: { authorization: 'Bearer sk-abcdefgh12345678', 'x-session-id': 'sess-42' },
    data: {
      model: 'demo-1',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'You are terse.' },
        { role: 'user', content },
      ],
    },
  });
  expect(reply.status(), await reply.text()).toBe(200);
}

test('a streamed chat is read with its reasoning and tool call, and again without a network @laptop', async ({
  page,
  context,
  drover,
  isMobile,
}) => {
  await pair(context.request, drover);
  const emulator = await drover.emulator(['--rate', '0']);
  await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
  await chat(context.request, emulator, 'never opened');
  await chat(context.request, emulator, '[reason] [tool] Find out why, with key sk-qwertyuiop1234.');
  await page.goto(`${drover.origin}/activity`);
  const activity = new ActivityPage(page);
  await expect(activity.rows).toHaveCount(2);
  await untilInstalled(page);

  await activity.rows.first().click();
  const inspector = new Inspector(page);
  const { pane } = inspector;
  await expect(pane).toContainText('let me think');
  await expect(pane).toContainText('get_weather');
  await expect(pane.getByLabel('Arguments of get_weather')).toContainText('"city": "Zürich"');
  await expect(pane).toContainText('Find out why, with key [REDACTED].');
  await expect(pane).toContainText('Stopped by tool_calls');
  await expect(pane.getByRole('list', { name: 'Where the time went' })).toContainText('prefill');
  await expect(pane).toContainText(/\d values redacted/);
  await expect(pane).toContainText('kept on this device');
  await expect(pane.getByText('You are terse.')).toHaveCount(0);
  await pane.getByRole('button', { name: /^show system/ }).click();
  await expect(pane.getByText('You are terse.')).toBeVisible();
  const scan = await new AxeBuilder({ page }).analyze();
  expect(scan.violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);

  const request = await inspector.show('Request');
  await expect(request.locator('[data-token]').first()).toBeVisible();
  await expect(request).toContainText('"stream": true');
  await expect(await inspector.show(/^Frames \d+$/)).toContainText('[DONE]');
  const headers = await inspector.show('Headers');
  await expect(headers).toContainText('[REDACTED]');
  await expect(headers).toContainText('sess-42');
  await expect(page.getByText('sk-abcdefgh')).toHaveCount(0);

  // The address holds it; what was opened is here, what was not is not, and says so.
  await expect(page).toHaveURL(/open=marlin\.0\.\d+/);
  drover.cable.cut();
  await context.setOffline(true);
  await page.reload();
  await expect(pane).toContainText('let me think');
  await inspector.leave(isMobile);
  await expect(pane).toHaveCount(0);
  await expect(page).not.toHaveURL(/open=/);
  await activity.rows.nth(1).click();
  await expect(pane).toContainText('Not on this device.');
  drover.cable.restore();
  await context.setOffline(false);
  await expect(pane).toContainText('never opened', { timeout: 30_000 });
});

test('a capture is opened, stepped through and left with the keyboard @laptop-only', async ({
  page,
  context,
  drover,
}) => {
  await pair(context.request, drover);
  const emulator = await drover.emulator(['--rate', '0']);
  await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
  for (const text of ['the older one', 'the newer one']) await chat(context.request, emulator, text);
  await page.goto(`${drover.origin}/activity`);
  const activity = new ActivityPage(page);
  await expect(activity.rows).toHaveCount(2);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const { pane } = new Inspector(page);
  await expect(pane).toContainText('the newer one');
  await page.keyboard.press('2');
  await expect(pane.getByRole('tab', { name: 'Request' })).toHaveAttribute('aria-selected', 'true');
  await pane.getByRole('button', { name: 'Request below' }).click();
  await expect(pane).toContainText('the older one');
  await expect(activity.rows.nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await expect(pane).toHaveCount(0);
  await expect(activity.grid).toBeFocused();
});

test('where there is no capture it is said why, and how to get one @laptop', async ({
  page,
  context,
  drover,
}) => {
  await pair(context.request, drover);
  const emulator = await drover.emulator(['--rate', '0']);
  await addHost(context.request, drover, { id: 'marlin', url: emulator.url });
  await command(context.request, emulator, 'activity', { count: 6 });
  await page.goto(`${drover.origin}/activity`);
  const activity = new ActivityPage(page);
  await expect(activity.rows).toHaveCount(6);
  await activity.rows.first().click();
  const { pane } = new Inspector(page);
  await expect(pane).toContainText('Captures are switched off on marlin, as it seems');
  await expect(pane).toContainText('captureBuffer');
  await expect(pane).toContainText('tokens out');
});

test('a viewer sees the row and is told why not more @laptop', async ({ page, context, drover, browser }) => {
  const admin = await browser.newContext();
  await pair(admin.request, drover);
  const emulator = await drover.emulator(['--rate', '0']);
  await addHost(admin.request, drover, { id: 'marlin', url: emulator.url });
  await chat(admin.request, emulator, 'not for everybody');
  await admin.close();
  await pair(context.request, drover, { code: await drover.newCode('viewer') });
  await page.goto(`${drover.origin}/activity`);
  const activity = new ActivityPage(page);
  await expect(activity.rows).toHaveCount(1);
  await activity.rows.first().click();
  const { pane } = new Inspector(page);
  await expect(pane).toContainText('Your role is viewer.');
  await expect(pane).toContainText('tokens out');
  await expect(page.getByText('not for everybody')).toHaveCount(0);
});
