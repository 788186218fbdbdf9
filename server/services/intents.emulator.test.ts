import { onTestFinished, describe, expect, it, vi } from 'vitest';
import { parseFleet } from '#sync/fleet-record.ts';
import { readFleet } from '#sync/fleet-doc.ts';
import { must } from '#shared/lib/assert.ts';
import { EmulatedHost, type EmulatedHostOptions } from '../emulator/emulated-host.ts';
import { ERAS, traitsOf, type Era } from '../emulator/era.ts';
import type { FrontDoor } from '../emulator/front-door.ts';
import { chat } from '../emulator/testing/host-fixture.ts';
import { intentsRig } from '../testing/intents-rig.ts';

const MODELS = [
  { id: 'coder', load: { durationMs: 60 }, tokensPerSecond: 40 },
  { id: 'org/chat [1m]', load: { durationMs: 60 }, tokensPerSecond: 40 },
  { id: 'slow', load: { durationMs: 60_000 } },
  { id: 'slowish', load: { durationMs: 2_500 } },
];
const coder = { hostId: 'marlin', modelId: 'coder' };
const other = { hostId: 'marlin', modelId: 'org/chat [1m]' };

async function world(era: Era, changes: Partial<EmulatedHostOptions> = {}, door?: FrontDoor) {
  const host = new EmulatedHost({ era, config: { models: MODELS, profiles: [{ id: 'night' }] }, ...changes });
  await host.start();
  if (door) host.setFrontDoor(door);
  onTestFinished(() => host.stop());
  const rig = intentsRig();
  const ben = rig.identity('Ben');
  const ana = rig.identity('Ana');
  await rig.add('marlin', host);
  /** Effects on models in the order they happened. */
  const effects = () =>
    host.records
      .effectsAfter(0)
      .flatMap(({ kind, modelId }) =>
        kind === 'loaded' || kind === 'unloaded' || kind === 'cancelled' ? [`${kind} ${modelId ?? ''}`] : [],
      );
  const ready = (modelId: string) =>
    vi.waitUntil(
      () => rig.watch.facts('marlin')?.models.find((m) => m.modelId === modelId)?.state === 'ready',
      {
        timeout: 10_000,
        interval: 10,
      },
    );
  const running = (count: number) =>
    vi.waitUntil(() => (rig.watch.facts('marlin')?.inFlight?.total ?? 0) === count, {
      timeout: 10_000,
      interval: 10,
    });
  return { host, rig, ben, ana, effects, ready, running };
}

/** A streamed answer that runs until the host ends it, or the test does. */
async function stream(host: EmulatedHost, modelId = 'coder'): Promise<void> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const reply = await fetch(`${host.url}/v1/chat/completions`, {
    ...chat(modelId, 'Tell me of the sea.', { stream: true, max_tokens: 4_000 }),
    signal: abort.signal,
  });
  reply.text().catch(() => undefined);
}

describe.each(ERAS.filter((era) => traitsOf(era).unloadOne))('acting on a %s', (era) => {
  it('loads by what is observed, once for one id, and says it to every copy', async () => {
    const { rig, ben, effects } = await world(era);
    const sent = rig.send(ben, { kind: 'model.load', target: other });
    const again = rig.intents.service.submit(
      { id: sent.id, kind: 'model.load', target: other, params: {}, whenDown: 'reject' },
      ben,
    );
    expect(again).toMatchObject({ outcome: 'known' });
    const view = await rig.ended(sent.id);
    expect(view).toMatchObject({
      state: 'succeeded',
      reason: expect.stringMatching(/^Done\. Ready after \d+ m?s\.$/),
    });
    expect(view.transitions.map(({ state }) => state)).toEqual([
      'received',
      'claimed',
      'running',
      'succeeded',
    ]);
    expect(view.evidence?.observed).toMatchObject({ modelState: 'ready', liveness: 'connected' });
    expect(effects()).toEqual(['loaded org/chat [1m]']);

    const fleet = must(rig.truth.docHost.open(rig.truth.docHost.names().fleet), 'the fleet document');
    expect(parseFleet(readFleet(fleet.doc)).intents.get(`ledger/${sent.id}`)).toEqual(view);
    const actions = rig.truth.store.audit.read({ afterId: 0, limit: 100 }).map(({ action }) => action);
    expect(actions).toEqual(['intent.received', 'intent.claimed', 'intent.running', 'intent.succeeded']);
  });

  it('tells why a load failed', async () => {
    const { host, rig, ben } = await world(era);
    host.scriptStarts('coder', ['out-of-memory']);
    const view = await rig.ended(rig.send(ben, { kind: 'model.load', target: coder }).id);
    expect(view).toMatchObject({ state: 'failed', reason: 'It did not start: CUDA error: out of memory.' });
  });

  it('unloads, asking first where something runs or where nobody can know', async () => {
    const { host, rig, ben, effects, ready } = await world(era);
    await host.load('coder');
    await ready('coder');
    await stream(host);
    const told = traitsOf(era).inFlight;
    if (told !== 'legacy-total') await vi.waitUntil(() => rig.watch.facts('marlin')?.inFlight?.total === 1);
    // A number for the whole host (v218–v234) says nothing of one model.
    const inFlight = told === 'snapshot' || told === 'operations' ? 1 : null;
    const asked = await rig.ended(rig.send(ben, { kind: 'model.unload', target: coder }).id);
    expect(asked).toMatchObject({
      state: 'needs_confirmation',
      code: 'confirm_needed',
      evidence: { checked: { inFlight } },
    });
    const confirmed = rig.send(ben, {
      kind: 'model.unload',
      target: coder,
      confirm: { ...coder, inFlight },
      supersedes: asked.id,
    });
    expect(await rig.ended(confirmed.id)).toMatchObject({ state: 'succeeded' });
    expect(effects().at(-1)).toBe('unloaded coder');
  });

  it('lets the second of two people wait for the first, and tells both one story', async () => {
    const { rig, ben, ana, effects } = await world(era);
    const load = rig.send(ben, { kind: 'model.load', target: coder });
    const unload = rig.send(ana, {
      kind: 'model.unload',
      target: coder,
      confirm: { ...coder, inFlight: null },
    });
    expect(rig.intents.service.view(unload.id)).toMatchObject({
      state: 'waiting',
      reason: 'Behind Load coder (Ben).',
    });
    expect(await rig.ended(load.id)).toMatchObject({ state: 'succeeded' });
    const end = await rig.ended(unload.id);
    expect(end.state).toBe('succeeded');
    expect(end.reason).toContain(`It came after Ben's "Load coder"`);
    expect(effects()).toEqual(['loaded coder', 'unloaded coder']);
  });
});

describe('what older hosts do', () => {
  it('holds the abort of a load back until the start is over, and the words say so', async () => {
    const { rig, ben, ana, effects } = await world('v217');
    const target = { hostId: 'marlin', modelId: 'slowish' };
    const load = rig.send(ben, { kind: 'model.load', target });
    await vi.waitUntil(
      () => rig.watch.facts('marlin')?.models.find((m) => m.modelId === 'slowish')?.state === 'starting',
    );
    const stop = rig.send(ana, { kind: 'model.unload', target, supersedes: load.id });
    expect(await rig.ended(load.id)).toMatchObject({ state: 'failed', code: 'aborted_by' });
    const held = await rig.until(stop.id, ({ code }) => code === 'held_by_start');
    expect(held).toMatchObject({
      state: 'running',
      reason: 'marlin takes no unload before the start of slowish is over, as llama-swap before v218 does.',
    });
    expect(await rig.ended(stop.id)).toMatchObject({ state: 'succeeded', code: null });
    // What is cut is our own request; the start goes on.
    expect(effects()).toEqual(['cancelled slowish', 'loaded slowish', 'unloaded slowish']);
  });

  const side = { swap: false, name: 'side' };
  const members = ['coder', 'chat'].map((id) => ({ id, group: 'side', load: { durationMs: 40 } }));

  it('unloads one by unloading all where it is alone, and says why not where it is not', async () => {
    const { host, rig, ben, effects, ready } = await world('v150', {
      config: { models: members, groups: [side] },
    });
    for (const { id } of members) {
      await host.load(id);
      await ready(id);
    }
    const confirm = { ...coder, inFlight: null };
    const refused = await rig.ended(rig.send(ben, { kind: 'model.unload', target: coder, confirm }).id);
    expect(refused).toMatchObject({
      state: 'failed',
      code: 'not_offered',
      reason: 'This version of llama-swap unloads all models or none, and chat is loaded too.',
    });
    expect(effects().filter((effect) => effect.startsWith('unloaded'))).toEqual([]);
    await host.unload('chat');
    await vi.waitUntil(
      () => rig.watch.facts('marlin')?.models.find((m) => m.modelId === 'chat')?.state === 'stopped',
    );
    const done = await rig.ended(rig.send(ben, { kind: 'model.unload', target: coder, confirm }).id);
    expect(done).toMatchObject({ state: 'succeeded', code: null });
    expect(effects().at(-1)).toBe('unloaded coder');
  });
});

describe('what newer hosts offer', () => {
  it('stops a load that runs, past the queue', async () => {
    const { host, rig, ben, ana } = await world('v250');
    const load = rig.send(ben, { kind: 'model.load', target: { hostId: 'marlin', modelId: 'slow' } });
    await rig.until(load.id, ({ state }) => state === 'running');
    await vi.waitUntil(() => host.llamaSwap.processes.get('slow')?.state === 'starting');
    const waiting = rig.send(ben, { kind: 'model.load', target: coder, ttlMs: 60_000 });
    const stop = rig.send(ana, {
      kind: 'model.unload',
      target: { hostId: 'marlin', modelId: 'slow' },
      supersedes: load.id,
    });
    expect(await rig.ended(load.id)).toMatchObject({
      state: 'failed',
      code: 'aborted_by',
      reason: 'Stopped by Ana.',
      evidence: { byIntentId: stop.id },
    });
    expect(await rig.ended(stop.id)).toMatchObject({ state: 'succeeded' });
    expect(await rig.ended(waiting.id)).toMatchObject({ state: 'succeeded' });
    expect(host.llamaSwap.processes.get('slow')?.state).toBe('stopped');
  });

  it.each(ERAS.filter((era) => traitsOf(era).cancel))(
    'cancels a running request of a %s, and refuses one that is gone',
    async (era) => {
      const { host, rig, ben, effects, running } = await world(era);
      await stream(host);
      await running(1);
      const id = must(rig.watch.facts('marlin')?.inFlight?.requests?.[0]?.id, 'a row');
      const done = rig.send(ben, { kind: 'request.cancel', target: coder, params: { requestId: id } });
      expect(await rig.ended(done.id)).toMatchObject({ state: 'succeeded' });
      const late = rig.send(ben, { kind: 'request.cancel', target: coder, params: { requestId: id } });
      expect(late).toMatchObject({ state: 'rejected', code: 'request_gone' });
      expect(effects().filter((effect) => effect.startsWith('cancelled'))).toHaveLength(1);
    },
  );

  it('switches the profile and reads it back', async () => {
    const { host, rig, ben } = await world('v250');
    const night = rig.send(ben, {
      kind: 'profile.activate',
      target: { hostId: 'marlin' },
      params: { name: 'night' },
    });
    expect(await rig.ended(night.id)).toMatchObject({
      state: 'succeeded',
      reason: 'Done. Profile "night" is active.',
    });
    const wrong = rig.send(ben, {
      kind: 'profile.activate',
      target: { hostId: 'marlin' },
      params: { name: 'noon' },
    });
    expect(await rig.ended(wrong.id)).toMatchObject({ state: 'failed', code: 'unknown_profile' });
    const none = rig.send(ben, {
      kind: 'profile.activate',
      target: { hostId: 'marlin' },
      params: { name: null },
    });
    expect(await rig.ended(none.id)).toMatchObject({ state: 'succeeded' });
    // The stream tells what is active: no order where it is so already, and no line in the host's log to look. The list
    // is read at the connect and, soon, after each of the two switches: not for any order.
    const again = rig.send(ben, {
      kind: 'profile.activate',
      target: { hostId: 'marlin' },
      params: { name: null },
    });
    expect(await rig.ended(again.id)).toMatchObject({ state: 'succeeded', code: 'already' });
    const asked = host.records.requests.map(({ method, path }) => `${method} ${path}`);
    expect(asked.filter((line) => line.includes('profiles/active'))).toHaveLength(3);
    expect(asked.filter((line) => line === 'GET /api/profiles').length).toBeLessThanOrEqual(3);
  });

  it('waits behind a busy model and says so while the host shows the target as stopped', async () => {
    const { host, rig, ben, running } = await world('v250');
    await stream(host);
    await running(1);
    const load = rig.send(ben, { kind: 'model.load', target: other });
    const waits = await rig.until(load.id, ({ code }) => code === 'waiting_behind');
    expect(waits).toMatchObject({ state: 'running', evidence: { behind: ['coder'] } });
    expect(waits.reason).toMatch(/^Waiting behind coder on marlin: 1 request runs there\./);
    const id = must(rig.watch.facts('marlin')?.inFlight?.requests?.[0]?.id, 'a row');
    rig.send(ben, { kind: 'request.cancel', target: coder, params: { requestId: id } });
    expect(await rig.ended(load.id)).toMatchObject({ state: 'succeeded' });
  });

  it('cuts what a load waits for at once when that was confirmed, and the load goes on', async () => {
    const { host, rig, ben, running } = await world('v250');
    await stream(host);
    await running(1);
    const load = rig.send(ben, { kind: 'model.load', target: other });
    await rig.until(load.id, ({ code }) => code === 'waiting_behind');
    const cut = rig.send(ben, { kind: 'model.unload', target: coder, confirm: { ...coder, inFlight: 1 } });
    expect(await rig.ended(cut.id)).toMatchObject({ state: 'succeeded' });
    expect(host.records.effectsAfter(0).some(({ kind }) => kind === 'unloaded')).toBe(true);
    expect(await rig.ended(load.id)).toMatchObject({ state: 'succeeded' });
  });

  it('unloads all at once when that was confirmed, and stops the load that waits for some of it', async () => {
    const { host, rig, ben, ana, running } = await world('v250');
    await stream(host);
    await running(1);
    const load = rig.send(ben, { kind: 'model.load', target: other });
    await rig.until(load.id, ({ code }) => code === 'waiting_behind');
    const all = { kind: 'model.unload' as const, target: { hostId: 'marlin' }, params: { all: true } };
    // Asked for before it too, and not begun: else it would load a model on a host just said to be empty.
    const behind = rig.send(ben, { kind: 'model.load', target: { hostId: 'marlin', modelId: 'slowish' } });
    expect(behind).toMatchObject({ state: 'waiting', code: 'queued' });
    // Nobody agreed to cut anything: it keeps its place, and asks when its turn comes.
    const unasked = rig.send(ana, all);
    expect(unasked).toMatchObject({ state: 'waiting', code: 'queued' });
    const confirmed = rig.send(ana, { ...all, confirm: { hostId: 'marlin', inFlight: 1 } });
    expect(await rig.ended(load.id)).toMatchObject({
      state: 'failed',
      code: 'aborted_by',
      reason: 'Stopped by Ana.',
      evidence: { byIntentId: confirmed.id },
    });
    expect(await rig.ended(confirmed.id)).toMatchObject({ state: 'succeeded', code: null });
    expect(await rig.ended(behind.id)).toMatchObject({
      state: 'superseded',
      code: 'replaced',
      reason: 'Ana unloaded all models after this was asked for.',
    });
    const states = [...host.llamaSwap.processes.values()].map(({ state }) => state);
    expect(states.every((state) => state === 'stopped')).toBe(true);
  });

  it('wakes a sleeping machine only after somebody agreed to it', async () => {
    const { host, rig, ben } = await world('v250', {}, { kind: 'wol-proxy', asleep: true, wakeAfterMs: 50 });
    const asked = rig.send(ben, { kind: 'model.load', target: coder });
    expect(asked).toMatchObject({ state: 'needs_confirmation' });
    expect(asked.reason).toBe(
      'Not loaded: marlin is asleep, and this wakes the machine; nobody had confirmed that.',
    );
    expect(host.records.effectsAfter(0).some(({ kind }) => kind === 'woken')).toBe(false);
    const agreed = rig.send(ben, {
      kind: 'model.load',
      target: coder,
      confirm: { ...coder, inFlight: null },
    });
    const waking = await rig.until(agreed.id, ({ code }) => code === 'waking');
    expect(waking).toMatchObject({
      state: 'running',
      reason: 'Waking marlin: the load begins when it has started.',
    });
    const view = await rig.until(agreed.id, ({ endedAt }) => endedAt !== null);
    expect(view).toMatchObject({ state: 'succeeded' });
    expect(view.reason).toMatch(/^Done\. Ready after/);
    expect(host.records.effectsAfter(0).filter(({ kind }) => kind === 'woken')).toHaveLength(1);
  }, 60_000);
});
