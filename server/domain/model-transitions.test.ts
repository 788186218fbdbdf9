import { describe, expect, it } from 'vitest';
import type { Model } from '#shared/schemas/model.ts';
import { observeModels, snapshotWithExit, type SnapshotContext } from './model-transitions.ts';
import type { ObservedModel } from './ports.ts';

const NOW = 1_000_000;
const live: SnapshotContext = { hostId: 'marlin', now: NOW, live: true };
const reconnected: SnapshotContext = { ...live, live: false };

function seen(modelId: string, state: string, changes: Partial<ObservedModel> = {}): ObservedModel {
  return {
    modelId,
    name: '',
    description: '',
    state,
    aliases: [],
    peerId: null,
    unlisted: false,
    contextLength: null,
    capabilities: [],
    uptimeMs: null,
    ...changes,
  };
}

function known(...models: (Partial<Model> & { modelId: string; state: string })[]): Map<string, Model> {
  return new Map(
    models.map((model) => {
      const { uptimeMs: _uptimeMs, ...shown } = seen(model.modelId, model.state);
      const full: Model = {
        ...shown,
        aliases: [],
        capabilities: [],
        hostId: 'marlin',
        since: NOW - 60_000,
        observedAt: NOW - 1_000,
        failedStart: null,
        ...model,
      };
      return [model.modelId, full];
    }),
  );
}

describe('a snapshot of models', () => {
  it('gives one event for each transition, and since when', () => {
    const changes = observeModels(
      known({ modelId: 'a', state: 'ready' }, { modelId: 'b', state: 'stopped' }),
      [seen('a', 'stopping'), seen('b', 'starting')],
      live,
    );
    expect(changes.events.map(({ modelId, from, to, at }) => [modelId, from, to, at])).toEqual([
      ['a', 'ready', 'stopping', NOW],
      ['b', 'stopped', 'starting', NOW],
    ]);
    expect(changes.models.map((model) => model.since)).toEqual([NOW, NOW]);
  });

  it('keeps since over a reconnect when the state is the same, and does not know it when it is not', () => {
    const changes = observeModels(
      known({ modelId: 'a', state: 'ready', since: 7 }, { modelId: 'b', state: 'ready', since: 7 }),
      [seen('a', 'ready'), seen('b', 'stopped')],
      reconnected,
    );
    expect(changes.models.map((model) => model.since)).toEqual([7, null]);
    expect(changes.events).toMatchObject([{ modelId: 'b', from: null, to: 'stopped', at: NOW }]);
  });

  it('makes no event of a first inventory, but for what is active', () => {
    const changes = observeModels(new Map(), [seen('a', 'stopped'), seen('b', 'ready')], reconnected);
    expect(changes.events).toMatchObject([{ modelId: 'b', from: null, to: 'ready' }]);
    expect(changes.models.map((model) => model.since)).toEqual([null, null]);
  });

  it('reads ready since from the uptime where the host tells it, and a start unseen from a shorter one', () => {
    const steady = observeModels(
      known({ modelId: 'a', state: 'ready', since: NOW - 60_000 }),
      [seen('a', 'ready', { uptimeMs: 61_000 })],
      live,
    );
    expect(steady.models[0]?.since).toBe(NOW - 60_000);
    expect(steady.events).toEqual([]);
    const restarted = observeModels(
      known({ modelId: 'a', state: 'ready', since: NOW - 60_000 }),
      [seen('a', 'ready', { uptimeMs: 9_000 })],
      reconnected,
    );
    expect(restarted.models[0]?.since).toBe(NOW - 9_000);
    expect(restarted.events).toMatchObject([{ from: null, to: 'ready', at: NOW - 9_000 }]);
  });

  it('holds a start back that ended without ready, until it is judged', () => {
    const changes = observeModels(
      known({ modelId: 'a', state: 'starting', since: 5 }),
      [seen('a', 'stopped')],
      live,
    );
    expect(changes.events).toEqual([]);
    expect(changes.endedStarts).toEqual([{ modelId: 'a', startedAt: 5, stoppedAt: NOW }]);
  });

  it('judges no start it did not see to its end', () => {
    const changes = observeModels(
      known({ modelId: 'a', state: 'starting' }),
      [seen('a', 'stopped')],
      reconnected,
    );
    expect(changes.endedStarts).toEqual([]);
    expect(changes.events).toMatchObject([{ from: null, to: 'stopped' }]);
  });

  it('keeps the reason of a failed start while the model stays stopped', () => {
    const failedStart = { at: 5, reason: 'CUDA error: out of memory', lines: [] };
    const before = known({ modelId: 'a', state: 'stopped', failedStart });
    expect(observeModels(before, [seen('a', 'stopped')], reconnected).models[0]?.failedStart).toEqual(
      failedStart,
    );
    expect(observeModels(before, [seen('a', 'starting')], live).models[0]?.failedStart).toBeNull();
  });

  it('gives peers no events: they have no state', () => {
    const changes = observeModels(new Map(), [seen('lab/x', 'unknown', { peerId: 'lab' })], live);
    expect(changes.events).toEqual([]);
    expect(changes.models).toHaveLength(1);
  });

  it('ends a model that left the configuration, and takes a doubled row once', () => {
    const changes = observeModels(
      known({ modelId: 'a', state: 'ready' }, { modelId: 'b', state: 'stopped' }),
      [seen('c', 'stopped'), seen('c', 'ready')],
      live,
    );
    expect(changes.events).toMatchObject([{ modelId: 'a', from: 'ready', to: 'stopped' }]);
    expect(changes.models.map((model) => [model.modelId, model.state])).toEqual([['c', 'stopped']]);
  });

  it('shows a word it does not know as it is', () => {
    const changes = observeModels(known({ modelId: 'a', state: 'ready' }), [seen('a', 'sleeping')], live);
    expect(changes.events).toMatchObject([{ from: 'ready', to: 'sleeping' }]);
  });

  it('takes an exit that only the log tells for a snapshot', () => {
    const before = known({ modelId: 'a', state: 'ready' }, { modelId: 'b', state: 'ready' });
    const changes = observeModels(before, snapshotWithExit(before, 'a'), live);
    expect(changes.events).toMatchObject([{ modelId: 'a', from: 'ready', to: 'stopped' }]);
    expect(changes.events).toHaveLength(1);
  });
});
