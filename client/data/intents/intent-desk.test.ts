import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IntentRig } from '../testing/intent-rig.ts';
import { loadDraft } from '../testing/intents.ts';
import type { Tab } from '../testing/intent-rig.ts';

let rig: IntentRig;
let tabs: Tab[] = [];

beforeEach(async () => {
  vi.stubGlobal('requestAnimationFrame', (task: () => void) => setTimeout(task, 0));
  vi.stubGlobal('cancelAnimationFrame', clearTimeout);
  rig = await IntentRig.start();
});

afterEach(async () => {
  for (const tab of tabs) tab.close();
  tabs = [];
  await rig.server.stop();
  vi.unstubAllGlobals();
});

function open(options?: Parameters<IntentRig['tab']>[0]): Tab {
  const tab = rig.tab(options);
  tabs.push(tab);
  return tab;
}

async function queue(tab: Tab, draft = loadDraft()): Promise<string> {
  const made = await tab.desk.queue(draft);
  expect(made).toMatchObject({ ok: true });
  return made.ok ? made.value.id : '';
}

test('what is queued while live leaves at once, the clock before it, and is sent, not done', async () => {
  const tab = open();
  await tab.until(({ outbox }) => outbox !== null);
  const id = await queue(tab);
  await tab.until(() => tab.stateOf(id) === 'sent');
  await vi.waitFor(() => expect(rig.sent()).toEqual([id]));
  expect(rig.server.heard[0]?.[0]).toBe('clock');
  rig.say(id, 'received');
  await tab.until(() => tab.stateOf(id) === 'received');
  rig.say(id, 'succeeded');
  await tab.until(() => tab.stateOf(id) === 'succeeded');
  await vi.waitFor(() => expect(rig.sent()).toEqual([]));
  expect(tab.entries[0]?.steps.map(({ state }) => state)).toEqual([
    'queued',
    'sent',
    'received',
    'succeeded',
  ]);
});

test('what is queued offline is there after a crash, and leaves when there is a network', async () => {
  const train = open({ online: false });
  const id = await queue(train);
  await train.until(() => train.stateOf(id) === 'queued');
  expect(train.outbox).toMatchObject({ unsent: 1, storage: 'saved' });
  train.close();
  const later = open();
  await later.until(() => later.stateOf(id) === 'sent');
  await vi.waitFor(() => expect(rig.sent()).toEqual([id]));
});
