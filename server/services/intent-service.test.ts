import { onTestFinished, describe, expect, it } from 'vitest';
import { must } from '#shared/lib/assert.ts';
import { HOST, IntentsSim, PEOPLE } from '../testing/intents-sim.ts';

const ana = must(PEOPLE[0], 'Ana');
const ben = must(PEOPLE[1], 'Ben');
const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const load = (number: number, modelId: string, more: object = {}) => ({
  id: id(number),
  kind: 'model.load',
  target: { hostId: HOST.id, modelId },
  ...more,
});
const unload = (number: number, modelId: string, more: object = {}) => ({
  ...load(number, modelId, more),
  kind: 'model.unload',
});

function world(models = ['coder', 'chat', 'a', 'b', 'c', 'd', 'e', 'f']): IntentsSim {
  const sim = new IntentsSim(models);
  onTestFinished(() => sim.close());
  return sim;
}

describe('the line of a host', () => {
  it('lets four wait behind what runs, and names them to the next', async () => {
    const sim = world();
    for (const [index, model] of ['a', 'b', 'c', 'd', 'e'].entries()) sim.submit(load(index, model), ana);
    sim.submit(load(9, 'f'), ben);
    await sim.settle();
    expect(sim.view(id(0)).state).toBe('running');
    expect(sim.view(id(4))).toMatchObject({ state: 'waiting', reason: 'Behind Load a (Ana).' });
    expect(sim.view(id(9))).toMatchObject({
      state: 'rejected',
      code: 'queue_full',
      reason:
        '4 actions were already queued on marlin: Load b (Ana), Load c (Ana), Load d (Ana), Load e (Ana).',
    });
    expect(sim.view(id(9)).evidence?.pending).toHaveLength(4);
    expect(sim.orders).toEqual(['load a']);
  });

  it('does one after the other, and the same meaning once', async () => {
    const sim = world();
    sim.submit(load(1, 'coder'), ben);
    sim.clock.advance(6_000);
    sim.submit(load(2, 'coder'), ana);
    await sim.settle();
    expect(sim.view(id(2))).toMatchObject({
      state: 'superseded',
      reason: 'Ben asked for the same 6 s earlier; that one runs.',
      evidence: { byIntentId: id(1) },
    });
    // What was asked in between speaks against it: then it is not the same any more.
    sim.submit(unload(3, 'coder'), ana);
    sim.submit(load(4, 'coder'), ben);
    for (let turn = 0; turn < 4; turn += 1) {
      sim.work();
      await sim.settle();
    }
    expect(sim.orders).toEqual(['load coder', 'unload coder', 'load coder']);
    expect(sim.view(id(4)).state).toBe('succeeded');
  });

  it('cancels until the claim, and not after it', async () => {
    const sim = world();
    sim.submit(load(1, 'coder'), ben);
    sim.submit(load(2, 'chat'), ben);
    await sim.settle();
    expect(sim.service.cancel(id(1), ben)).toMatchObject({ outcome: 'refused', code: 'already_claimed' });
    expect(sim.service.cancel(id(2), ana)).toMatchObject({
      outcome: 'cancelled',
      view: { reason: 'By Ana, before it was claimed.' },
    });
    expect(sim.service.cancel(id(3), ana)).toEqual({ outcome: 'kept' });
    sim.submit(load(3, 'a'), ana);
    await sim.settle();
    expect(sim.view(id(3)).state).toBe('cancelled');
    expect(sim.orders).toEqual(['load coder']);
  });
});

describe('who acts on a host', () => {
  it('stands in the document from claim to end, and heartbeats do not write it', async () => {
    const sim = world();
    expect(sim.lease()).toBeNull();
    sim.submit(load(1, 'coder'), ana);
    await sim.settle();
    const taken = sim.lease();
    const since = sim.clock.now();
    expect(taken).toEqual({
      hostId: HOST.id,
      holder: id(1),
      purpose: 'Load coder',
      since,
      expiresAt: since + 30 * 60_000,
    });
    sim.clock.advance(25_000);
    await sim.settle();
    expect(sim.store.intents.lease(HOST.id)?.expiresAt).toBeGreaterThan(since + 30_000);
    expect(sim.lease()).toEqual(taken);
    sim.work();
    await sim.settle();
    expect(sim.lease()).toBeNull();
  });

  it('is nobody after a crash, but whoever goes on', async () => {
    const sim = world();
    sim.submit(load(1, 'coder'), ana);
    await sim.settle();
    sim.crash();
    expect(sim.lease()?.holder).toBe(id(1));
    sim.work();
    await sim.settle();
    expect(sim.lease()).toBeNull();
  });
});

describe('what must hold', () => {
  it('is looked at when it is claimed, with both values in the reason', async () => {
    const sim = world();
    sim.submit(load(1, 'coder'), ben);
    sim.submit(unload(2, 'coder', { precondition: { modelState: ['stopped'] } }), ana);
    await sim.settle();
    sim.work();
    await sim.settle();
    const view = sim.view(id(2));
    expect(view).toMatchObject({
      state: 'rejected',
      code: 'precondition',
      evidence: { checked: { modelState: 'ready' } },
    });
    expect(view.reason).toMatch(
      /^Not unloaded: coder was ready; you had asked for stopped\. It came after Ben's "Load coder"/,
    );
  });

  it('refuses what is aimed at nothing', async () => {
    const sim = world();
    sim.submit({ ...load(1, 'coder'), target: { hostId: 'nowhere', modelId: 'x' } }, ana);
    sim.submit(load(2, 'no-such'), ana);
    sim.submit(load(3, 'coder'), { ...ana, id: 'carla', label: 'Carla' });
    await sim.settle();
    expect(sim.view(id(1))).toMatchObject({ state: 'rejected', code: 'unknown_host' });
    expect(sim.view(id(2)).reason).toBe('marlin has no model "no-such".');
    expect(sim.view(id(3))).toMatchObject({ state: 'rejected', code: 'revoked' });
    expect(sim.orders).toEqual([]);
  });

  it('waits for a host that is down only when told to, and expires with its reason', async () => {
    const sim = world();
    sim.setLiveness('down');
    sim.submit(load(1, 'coder'), ana);
    sim.submit(load(2, 'coder', { whenDown: 'wait' }), ana);
    sim.submit(load(3, 'chat', { whenDown: 'wait', ttlMs: 3_600_000 }), ana);
    await sim.settle();
    expect(sim.view(id(1))).toMatchObject({
      state: 'rejected',
      code: 'host_down',
      reason: 'marlin was down.',
    });
    expect(sim.view(id(2))).toMatchObject({
      state: 'waiting',
      reason: 'Until marlin is back. marlin was down.',
    });
    sim.clock.advance(300_000);
    await sim.settle();
    expect(sim.view(id(2))).toMatchObject({
      state: 'expired',
      reason: 'Expired while marlin was down. Nothing was done.',
    });
    sim.setLiveness('connected');
    await sim.settle();
    expect(sim.orders).toEqual(['load chat']);
  });
});

describe('a record of an outbox', () => {
  it('lives on the collector’s time, whatever its device’s clock says', async () => {
    const sim = world();
    sim.receive(load(1, 'coder'), ana, 600_000);
    sim.receive(load(2, 'chat'), ana, -600_000);
    await sim.settle();
    const made = sim.clock.now();
    for (const number of [1, 2]) {
      expect(sim.view(id(number))).toMatchObject({ createdAt: made, expiresAt: made + 300_000 });
    }
    const ahead = { ...load(3, 'a'), v: 1, epoch: 1, createdAt: made + 61_000 };
    sim.service.receive(id(3), ahead, ana, { receivedAt: made, clockOffsetMs: null });
    const old = { ...load(4, 'a'), v: 1, epoch: 1, createdAt: made - 300_000 };
    sim.service.receive(id(4), old, ana, { receivedAt: made, clockOffsetMs: 0 });
    const restored = { ...load(5, 'a'), v: 1, epoch: 1, createdAt: made };
    sim.service.receive(id(5), restored, ana, { receivedAt: made, clockOffsetMs: 0, historyRestored: true });
    expect([3, 4, 5].map((number) => sim.view(id(number)).code)).toEqual([
      'clock',
      'expired',
      'history_restored',
    ]);
  });

  it('that cannot be read ends in the ledger with its reason, and blocks nothing behind it', async () => {
    const sim = world();
    const at = { receivedAt: sim.clock.now(), clockOffsetMs: 0 };
    const good = { ...load(9, 'coder'), v: 1, epoch: 1, createdAt: at.receivedAt };
    const bad: readonly unknown[] = [
      null,
      'text',
      { ...good, id: id(8) },
      { ...good, id: id(4), kind: 'host.explode' },
      { ...good, id: id(5), force: true },
      { ...good, id: id(6), note: 'x'.repeat(9_000) },
    ];
    for (const [index, record] of bad.entries()) {
      expect(sim.service.receive(id(index + 1), record, ana, at).outcome).toBe('new');
    }
    expect(sim.service.receive('no uuid', good, ana, at)).toEqual({ outcome: 'ignored' });
    sim.service.receive(id(9), good, ana, at);
    await sim.settle();
    expect([1, 2, 3, 4, 5, 6].map((number) => sim.view(id(number)).code)).toEqual([
      'malformed',
      'malformed',
      'malformed',
      'unknown_kind',
      'malformed',
      'too_large',
    ]);
    expect(sim.view(id(9)).state).toBe('running');
  });
});

describe('an unload that the host keeps back while a model starts', () => {
  it('ends after a minute as not known, and lets the next one go', async () => {
    const sim = world();
    sim.submit(load(1, 'coder'), ana);
    await sim.settle();
    sim.models.set('coder', 'starting');
    sim.setLiveness('connected');
    sim.submit(unload(2, 'coder', { supersedes: id(1) }), ben);
    sim.submit(load(3, 'chat'), ben);
    await sim.settle();
    sim.clock.advance(2_000);
    await sim.settle();
    expect(sim.view(id(2))).toMatchObject({ state: 'running', code: 'held_by_start' });
    sim.clock.advance(58_000);
    await sim.settle();
    expect(sim.view(id(2))).toMatchObject({ state: 'unknown', code: 'held_by_start' });
    expect(sim.view(id(3)).state).toBe('running');
    expect(sim.orders).toEqual(['load coder', 'unload coder', 'load chat']);
  });
});

describe('a note', () => {
  it('is for what nobody knows alone', async () => {
    const sim = world();
    sim.submit(load(1, 'coder'), ana);
    await sim.settle();
    expect(sim.service.note(id(1), 'x', ben)).toEqual({ outcome: 'refused' });
    expect(sim.service.note(id(2), 'x', ben)).toEqual({ outcome: 'not_found' });
    expect(sim.view(id(1)).note).toBeUndefined();
  });
});

describe('after a crash', () => {
  it('what ran is settled by what is found, and nothing is sent again', async () => {
    const sim = world();
    sim.submit(load(1, 'coder'), ana);
    sim.submit(load(2, 'chat'), ben);
    await sim.settle();
    sim.crash();
    await sim.settle();
    expect(sim.view(id(1)).state).toBe('running');
    expect(sim.view(id(2)).state).toBe('waiting');
    sim.work();
    await sim.settle();
    expect(sim.view(id(1))).toMatchObject({ state: 'succeeded', evidence: { afterRestart: true } });
    expect(sim.orders).toEqual(['load coder', 'load chat']);
  });

  it('what is not there after a while failed, and says that it was interrupted', async () => {
    const sim = world();
    sim.submit(unload(1, 'coder'), ana);
    sim.models.set('chat', 'ready');
    sim.submit(unload(2, 'chat'), ana);
    await sim.settle();
    expect(sim.view(id(1))).toMatchObject({ state: 'succeeded', code: 'already' });
    sim.crash();
    await sim.settle();
    sim.clock.advance(11_000);
    await sim.settle();
    expect(sim.view(id(2))).toMatchObject({
      state: 'failed',
      code: 'interrupted',
      reason: 'Drover restarted while it ran. It is still loaded. Nothing was sent again.',
    });
    expect(sim.orders).toEqual(['unload chat']);
  });

  it('what nobody can see any more ends unknown at its deadline', async () => {
    const sim = world();
    sim.submit(load(1, 'coder'), ana);
    await sim.settle();
    sim.setLiveness('down');
    sim.crash();
    await sim.settle();
    sim.clock.advance(31 * 60_000);
    await sim.settle();
    expect(sim.view(id(1))).toMatchObject({ state: 'unknown', code: 'deadline' });
    expect(sim.service.health()).toMatchObject([{ name: 'intents', state: 'warn' }]);

    const noted = sim.service.note(id(1), 'It runs; I looked.', ben);
    expect(noted).toMatchObject({
      outcome: 'noted',
      view: { state: 'unknown', note: { text: 'It runs; I looked.', by: 'Ben', at: sim.clock.now() } },
    });
    sim.crash();
    expect(sim.view(id(1)).note).toEqual({ text: 'It runs; I looked.', by: 'Ben', at: sim.clock.now() });
    const records = sim.store.audit.read({ afterId: 0, limit: 100 });
    expect(records.at(-1)).toMatchObject({
      action: 'intent.note',
      actor: { label: 'Ben' },
      detail: { reason: 'It runs; I looked.' },
    });
  });
});
