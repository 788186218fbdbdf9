import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Result } from '../types.ts';
import { IntentRig } from '../testing/intent-rig.ts';
import { intentViewOf, loadDraft } from '../testing/intents.ts';
import type { Tab } from '../testing/intent-rig.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

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
  vi.useRealTimers();
});

function open(options?: Parameters<IntentRig['tab']>[0]): Tab {
  const tab = rig.tab(options);
  tabs.push(tab);
  return tab;
}

async function idOf(made: Promise<Result<{ readonly id: string }>>): Promise<string> {
  const answer = await made;
  expect(answer).toMatchObject({ ok: true });
  return answer.ok ? answer.value.id : '';
}

/** A tab whose outbox is in step. */
async function openLive(): Promise<Tab> {
  const tab = open();
  await vi.waitFor(() => expect(rig.server.heard.some((frames) => frames.length >= 3)).toBe(true));
  return tab;
}

/** Queues without a network, closes the page, and lets time pass. */
async function queueInTunnel(awayMs: number, draft = loadDraft()): Promise<string> {
  const tab = open({ online: false });
  const id = await idOf(tab.desk.queue(draft));
  tab.close();
  if (awayMs > 0) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + awayMs });
  return id;
}

test('what is queued while live leaves at once, the clock before it, and is sent, not done', async () => {
  const tab = await openLive();
  const id = await idOf(tab.desk.queue(loadDraft()));
  await tab.until(() => tab.stateOf(id) === 'sent');
  await vi.waitFor(() => expect(rig.sent()).toEqual([id]));
  expect(rig.server.heard[0]?.[0]).toBe('clock');
  rig.say(id, 'received');
  await tab.until(() => tab.stateOf(id) === 'received');
  rig.say(id, 'succeeded');
  await tab.until(() => tab.stateOf(id) === 'succeeded');
  expect(tab.entries[0]?.steps.map(({ state }) => state)).toEqual([
    'queued',
    'sent',
    'received',
    'succeeded',
  ]);
  await vi.waitFor(() => expect(rig.sent()).toEqual([]));
  expect(tab.keeps).toBe(1);
});

test('what is queued offline is there after a crash, and leaves when there is a network', async () => {
  const train = open({ online: false });
  const id = await idOf(train.desk.queue(loadDraft()));
  await train.until(() => train.stateOf(id) === 'queued');
  expect(train.outbox).toMatchObject({ unsent: 1, storage: 'saved', review: null });
  train.close();
  const later = open();
  await later.until(() => later.stateOf(id) === 'sent');
  await vi.waitFor(() => expect(rig.sent()).toEqual([id]));
});

test('two tabs are one queue: either shows, sends and takes back what the other made', async () => {
  const blind = open({ online: false });
  const id = await idOf(blind.desk.queue(loadDraft()));
  const dropped = await idOf(blind.desk.queue(loadDraft({ ttlMs: HOUR_MS })));
  expect(await blind.desk.cancel(dropped)).toMatchObject({ ok: true });
  const seeing = open();
  await seeing.until(() => seeing.stateOf(id) === 'sent' && seeing.stateOf(dropped) === 'dropped');
  await blind.until(() => blind.stateOf(id) === 'sent');
  await vi.waitFor(() => expect(rig.sent()).toEqual([id]));
});

test('of two tabs that are both in step only the one that made a record puts it', async () => {
  const [one, two] = [open(), open()];
  await vi.waitFor(() => expect(rig.server.heard.filter((frames) => frames.length >= 3)).toHaveLength(2));
  const ids = [await idOf(one.desk.queue(loadDraft())), await idOf(one.desk.queue(loadDraft()))];
  await two.until(() => ids.every((id) => two.stateOf(id) === 'sent'));
  expect(rig.sent()).toEqual(ids.sort());
  expect(rig.server.doc('outbox:d1@e1').store.clients.size).toBe(1);
});

test('a queue that could not be read at first is read when the browser lets it', async () => {
  const id = await queueInTunnel(0);
  rig.store.refuses = true;
  const tab = open();
  await tab.until(({ outbox }) => outbox?.storage === 'not-saved');
  rig.store.refuses = false;
  tab.desk.flushNow();
  await tab.until(() => tab.stateOf(id) === 'sent' && tab.outbox?.storage === 'saved');
  expect(tab.outbox?.storageError).toBeNull();
});

test('who may only look any more has no way to the collector, and nothing is wrong with that', async () => {
  const tab = await openLive();
  rig.server.refuses.set('outbox:d1@e1', { code: 4403, reason: 'role' });
  rig.server.cut(4403, 'role');
  await tab.until(({ outbox }) => outbox?.refusal !== null);
  rig.session.set({ ...rig.session.get(), role: 'viewer' });
  rig.outboxName.set(null);
  await tab.until(({ outbox }) => outbox?.refusal === null);
  expect(await tab.desk.queue(loadDraft())).toMatchObject({ ok: false, code: 'forbidden' });
});

test('what waited five minutes stays until somebody decides; what is younger goes by itself', async () => {
  const old = await queueInTunnel(0, loadDraft({ ttlMs: HOUR_MS }));
  const unwanted = await queueInTunnel(6 * MINUTE_MS, loadDraft({ ttlMs: HOUR_MS }));
  const young = await queueInTunnel(0);
  rig.connection.set({ ...rig.connection.get(), kind: 'reconnecting', dataAsOf: Date.now() - HOUR_MS });
  const since = rig.connection.get().dataAsOf;
  const tab = open();
  await tab.until(({ outbox }) => outbox?.review?.ids.length === 2 && tab.stateOf(young) === 'sent');
  expect(tab.outbox?.review).toEqual({ since, ids: [old, unwanted].sort() });
  await vi.waitFor(() => expect(rig.sent()).toEqual([young]));
  expect(await tab.desk.decideReview([], [])).toMatchObject({ ok: true });
  expect(tab.stateOf(old)).toBe('queued');
  await tab.desk.decideReview([old], [unwanted]);
  await tab.until(() => tab.stateOf(old) === 'sent' && tab.stateOf(unwanted) === 'dropped');
  await vi.waitFor(() => expect(rig.sent()).toEqual([old, young].sort()));
  await tab.until(({ outbox }) => outbox?.review === null);
});

test('what expired while offline is listed and never sent', async () => {
  const void1 = await queueInTunnel(5 * MINUTE_MS);
  const tab = await openLive();
  await tab.until(() => tab.stateOf(void1) === 'expired-here');
  const live = await idOf(tab.desk.queue(loadDraft()));
  await vi.waitFor(() => expect(rig.sent()).toEqual([live]));
  expect(tab.outbox).toMatchObject({ unsent: 0, needsYou: 1 });
  await tab.desk.dismiss(void1);
  await tab.until(({ outbox }) => outbox?.needsYou === 0);
});

test('it expires on this device in its own time, while nobody touches it', async () => {
  const tab = open({ online: false });
  const id = await idOf(tab.desk.queue(loadDraft({ ttlMs: 1_000 })));
  await tab.until(() => tab.stateOf(id) === 'expired-here');
  expect(tab.entries[0]?.steps.map(({ state }) => state)).toEqual(['queued', 'expired-here']);
});

test('a cancel wins: here while it cannot have left, by a record of its own once it may have', async () => {
  const tab = await openLive();
  const id = await idOf(tab.desk.queue(loadDraft()));
  await tab.until(() => tab.stateOf(id) === 'sent');
  expect(await tab.desk.cancel(id)).toMatchObject({ ok: true });
  await vi.waitFor(() => expect([...rig.server.read('outbox:d1@e1').cancels.keys()]).toEqual([id]));
  await tab.until(() => tab.entries[0]?.cancelAsked === true);
  rig.say(id, 'claimed');
  expect(await tab.desk.cancel(id)).toMatchObject({ ok: false, code: 'already_claimed' });
  rig.say(id, 'succeeded');
  expect(await tab.desk.cancel(id)).toMatchObject({ ok: false, code: 'already_ended' });
  await vi.waitFor(() => expect(rig.server.read('outbox:d1@e1').cancels.size).toBe(0));
});

test('a page that dies between storing and sending cannot say that it never left', async () => {
  const tab = await openLive();
  rig.server.freeze();
  const id = await idOf(tab.desk.queue(loadDraft()));
  tab.close();
  const next = open({ online: false });
  await next.until(() => next.stateOf(id) !== undefined);
  await next.desk.cancel(id);
  await next.until(() => next.entries[0]?.cancelAsked === true);
  expect(next.stateOf(id)).not.toBe('dropped');
});

test('an intent of another device can be cancelled', async () => {
  const id = '0199c3a4-7d10-7c55-9b1e-52f0a1c0de77';
  rig.ledger.set(
    new Map([[id, { ...intentViewOf(id), author: { kind: 'device', id: 'd2', label: 'ben' } }]]),
  );
  const tab = await openLive();
  await tab.until(() => tab.stateOf(id) === 'received');
  expect(tab.entries[0]).toMatchObject({ isMine: false });
  await tab.desk.cancel(id);
  await vi.waitFor(() => expect([...rig.server.read('outbox:d1@e1').cancels.keys()]).toEqual([id]));
});

test('a new epoch takes along what is not claimed, unchanged, and nothing that ended', async () => {
  const tab = await openLive();
  const open1 = await idOf(tab.desk.queue(loadDraft()));
  const ended = await idOf(tab.desk.queue(loadDraft()));
  await vi.waitFor(() => expect(rig.sent()).toHaveLength(2));
  rig.say(ended, 'succeeded');
  await vi.waitFor(() => expect(rig.sent()).toEqual([open1]));
  rig.nextName = 'outbox:d1@e2';
  rig.server.refuses.set('outbox:d1@e1', { code: 4404, reason: 'gone' });
  rig.server.cut(4404, 'gone');
  await vi.waitFor(() => expect(rig.sent('outbox:d1@e2')).toEqual([open1]));
  expect(rig.server.read('outbox:d1@e2').intents.get(open1)).toMatchObject({ epoch: 1 });
  const fresh = await idOf(tab.desk.queue(loadDraft()));
  await vi.waitFor(() => expect(rig.sent('outbox:d1@e2')).toContain(fresh));
  expect(rig.server.read('outbox:d1@e2').intents.get(fresh)).toMatchObject({ epoch: 2 });
  expect(tab.outbox?.refusal).toBeNull();
});

test('a collector that refuses the outbox is asked less and less, and the queue waits for it', async () => {
  rig.server.refuses.set('outbox:d1@e1', { code: 4413, reason: 'too large' });
  const tab = open();
  const id = await idOf(tab.desk.queue(loadDraft()));
  await tab.until(({ outbox }) => outbox?.refusal?.includes('too large') === true);
  expect(tab.stateOf(id)).toBe('queued');
  const asked = rig.server.asked.length;
  expect(asked).toBe(1);
  rig.server.refuses.clear();
  await tab.until(() => tab.stateOf(id) === 'sent');
  expect(tab.outbox?.refusal).toBeNull();
});

test('what the browser refuses to store is said, sent all the same, and stored when there is room', async () => {
  const tab = await openLive();
  rig.store.refuses = true;
  const id = await idOf(tab.desk.queue(loadDraft()));
  await tab.until(() => tab.stateOf(id) === 'sent');
  await vi.waitFor(() => expect(rig.sent()).toEqual([id]));
  expect(tab.outbox).toMatchObject({ storage: 'not-saved', storageError: 'no room' });
  expect(tab.entries[0]).toMatchObject({ saved: false });
  rig.store.refuses = false;
  tab.desk.flushNow();
  await tab.until(() => tab.entries[0]?.saved === true);
  expect(tab.outbox).toMatchObject({ storage: 'saved', storageError: null });
});

test('offline, an action that cannot be stored is said to be lost with the page, and can be taken out', async () => {
  const tab = open({ online: false });
  rig.store.refuses = true;
  expect(await tab.desk.queue(loadDraft())).toMatchObject({ ok: false, code: 'not_saved' });
  await tab.until(({ entries }) => entries[0]?.state === 'not-saved');
  expect(tab.outbox).toMatchObject({ unsent: 1, needsYou: 0 });
  const text = await (await tab.desk.exportUnsent()).text();
  expect(JSON.parse(text)).toMatchObject({ intents: [{ record: { kind: 'model.load', v: 1 } }] });
});

test('what another tab may send is not called dropped while that cannot be stored', async () => {
  const tab = open({ online: false });
  const id = await idOf(tab.desk.queue(loadDraft()));
  rig.store.refuses = true;
  expect(await tab.desk.cancel(id)).toMatchObject({ ok: false, code: 'not_saved' });
  expect(await tab.desk.changeExpiry(id, Date.now() + HOUR_MS)).toMatchObject({
    ok: false,
    code: 'not_saved',
  });
  await tab.until(({ outbox }) => outbox?.storage === 'not-saved');
  expect(tab.entries.map((entry) => [entry.id, entry.state])).toEqual([[id, 'queued']]);
  rig.store.refuses = false;
  expect(await tab.desk.cancel(id)).toMatchObject({ ok: true });
  await tab.until(() => tab.stateOf(id) === 'dropped');
});

test('over plain http actions go while live, and are refused with the reason while not', async () => {
  const away = open({ online: false, storage: 'insecure' });
  expect(await away.desk.queue(loadDraft())).toMatchObject({ ok: false, code: 'needs_https' });
  const tab = open({ storage: 'insecure' });
  await vi.waitFor(async () => expect(await tab.desk.queue(loadDraft())).toMatchObject({ ok: true }));
  await tab.until(({ entries }) => entries[0]?.state === 'sent');
  expect(tab.entries[0]).toMatchObject({ saved: false });
  expect(tab.outbox).toMatchObject({ storage: 'insecure', storageError: null });
});

test('what cannot be asked is refused before it is queued, with the reason', async () => {
  const tab = open({ online: false });
  const long = '\u0001'.repeat(1_000);
  const tooLarge = { hostId: 'marlin', modelId: long, inFlight: 1 };
  expect(
    await tab.desk.queue(loadDraft({ target: { hostId: 'marlin', modelId: long }, confirm: tooLarge })),
  ).toMatchObject({ ok: false, code: 'too_large' });
  expect(await tab.desk.queue(loadDraft({ target: { hostId: 'No Host', modelId: 'a' } }))).toMatchObject({
    ok: false,
    code: 'bad_request',
    details: [{ path: 'target.hostId' }],
  });
  rig.session.set({ ...rig.session.get(), role: 'viewer' });
  expect(await tab.desk.queue(loadDraft())).toMatchObject({ ok: false, code: 'forbidden' });
  rig.session.set({ ...rig.session.get(), role: 'operator' });
  const many = await Promise.all(Array.from({ length: 256 }, () => tab.desk.queue(loadDraft())));
  expect(many.every(({ ok }) => ok)).toBe(true);
  expect(await tab.desk.queue(loadDraft())).toMatchObject({ ok: false, code: 'queue_full' });
});

test('another expiry offline: the old one is dropped before the new one can go', async () => {
  const tab = open({ online: false });
  const id = await idOf(tab.desk.queue(loadDraft()));
  const until = Date.now() + 3 * HOUR_MS;
  const longer = await idOf(tab.desk.changeExpiry(id, until));
  await tab.until(() => tab.stateOf(id) === 'dropped');
  const entry = tab.entries.find((shown) => shown.id === longer);
  expect(Math.abs((entry?.expiresAt ?? 0) - until)).toBeLessThan(100);
  expect(entry).toMatchObject({ supersedes: id, state: 'queued' });
  tab.close();
  const later = open();
  await later.until(() => later.stateOf(longer) === 'sent');
  await vi.waitFor(() => expect(rig.sent()).toEqual([longer]));
});

test('another expiry of what was sent goes only once the first is known not to happen', async () => {
  const tab = await openLive();
  const [a, b] = [await idOf(tab.desk.queue(loadDraft())), await idOf(tab.desk.queue(loadDraft()))];
  rig.say(a, 'received');
  rig.say(b, 'waiting');
  const longerA = await idOf(tab.desk.changeExpiry(a, Date.now() + HOUR_MS));
  const longerB = await idOf(tab.desk.changeExpiry(b, Date.now() + HOUR_MS));
  await vi.waitFor(() => expect(rig.server.read('outbox:d1@e1').cancels.size).toBe(2));
  expect(rig.sent()).toEqual([a, b].sort());
  rig.say(a, 'cancelled');
  rig.say(b, 'claimed', 'already_claimed');
  await tab.until(() => tab.stateOf(longerA) === 'sent' && tab.stateOf(longerB) === 'dropped');
  await vi.waitFor(() => expect(rig.sent()).toEqual([b, longerA].sort()));
  expect(await tab.desk.changeExpiry(b, Date.now() + HOUR_MS)).toMatchObject({ code: 'already_claimed' });
});

test('asking again makes a new one with the same conditions, without what was confirmed then', async () => {
  const tab = await openLive();
  const precondition = { inFlightMax: 0 };
  const confirm = { hostId: 'marlin', modelId: 'coder', inFlight: 1 };
  const id = await idOf(tab.desk.queue(loadDraft({ precondition, confirm })));
  rig.say(id, 'needs_confirmation');
  await tab.until(({ outbox }) => outbox?.needsYou === 1);
  const again = await idOf(tab.desk.askAgain(id));
  await tab.until(({ outbox }) => outbox?.needsYou === 0);
  const entry = tab.entries.find((shown) => shown.id === again);
  expect(entry).toMatchObject({ precondition, confirm: null, supersedes: null, kind: 'model.load' });
});

test('how it ended stays when the ledger no longer lists it, and is asked for where it was missed', async () => {
  const tab = await openLive();
  const seen = await idOf(tab.desk.queue(loadDraft()));
  rig.say(seen, 'succeeded');
  await tab.until(() => tab.stateOf(seen) === 'succeeded');
  const missed = await idOf(tab.desk.queue(loadDraft()));
  await tab.until(() => tab.stateOf(missed) === 'sent');
  rig.ledger.set(new Map());
  tab.fates.set(missed, { ...intentViewOf(missed), state: 'failed', reason: 'It did not start.' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + MINUTE_MS });
  tab.desk.flushNow();
  await tab.until(() => tab.stateOf(missed) === 'failed');
  expect(tab.stateOf(seen)).toBe('succeeded');
});

test('a session that is taken back leaves nothing; one that ended by itself keeps the queue for the next', async () => {
  const tab = open({ online: false });
  const id = await idOf(tab.desk.queue(loadDraft({ ttlMs: HOUR_MS })));
  rig.session.set({ ...rig.session.get(), status: 'signed-out', role: null });
  await tab.until(() => tab.stateOf(id) === 'queued');
  tab.close();
  rig.session.set({ status: 'signed-in', role: 'admin', device: { id: 'd2', label: 'ana-phone' } });
  rig.outboxName.set('outbox:d2@e1');
  const next = await openLive();
  await next.until(({ outbox }) => outbox?.review?.ids.includes(id) === true);
  expect(rig.sent('outbox:d2@e1')).toEqual([]);
  await next.desk.decideReview([id], []);
  await vi.waitFor(() => expect(rig.sent('outbox:d2@e1')).toEqual([id]));
  rig.session.set({ status: 'signed-out', role: null, device: null });
  await next.until(({ entries }) => entries.length === 0);
});
