import { describe, expect, it } from 'vitest';
import type { Model } from '#shared/schemas/model.ts';
import { fleetKey, modelEntry, parseFleet, parseFleetEntry } from './fleet-record.ts';

const model: Model = {
  hostId: 'box',
  modelId: 'org/name/with:slashes and spaces',
  name: 'A model',
  description: '',
  state: 'ready',
  since: null,
  observedAt: 1,
  aliases: [],
  peerId: null,
  unlisted: false,
  contextLength: null,
  capabilities: [],
  failedStart: null,
};
const segment = {
  kind: 'activity',
  key: '2026-11-30T14.0',
  rows: 1,
  bytes: 1,
  hash: 'a'.repeat(64),
  from: 1,
  to: 2,
};

describe('fleet records', () => {
  it('[F7] parses a model whose id holds slashes', () => {
    const key = fleetKey.model(model.hostId, model.modelId);
    expect(key.startsWith(fleetKey.modelsOf('box'))).toBe(true);
    expect(parseFleetEntry(key, model)).toEqual({ type: 'model', value: model });
  });

  it('[F7] reads a record whose key names another as unreadable', () => {
    expect(parseFleetEntry('model/box/other', model)).toEqual({ type: 'unreadable' });
    expect(parseFleetEntry('segment/activity/2026-11-30T15.0', segment)).toEqual({ type: 'unreadable' });
    expect(parseFleetEntry('host/a', { id: 'b' })).toEqual({ type: 'unreadable' });
  });

  it('[F7] reads an intent of the ledger, also one of a kind that this version does not know', () => {
    const intent = {
      id: '0192a5b4-7c1d-7e2f-8a3b-4c5d6e7f8091',
      kind: 'host.paint',
      target: { hostId: 'box' },
      params: { colour: 'red' },
      state: 'waiting',
      code: 'queued',
      reason: 'Behind Load coder (Ben).',
      evidence: null,
      author: { kind: 'device', id: 'd1', label: 'Ana' },
      createdAt: 1,
      receivedAt: 2,
      expiresAt: 3,
      endedAt: null,
      precondition: null,
      confirm: null,
      whenDown: 'reject',
      supersedes: null,
      transitions: [{ state: 'received', at: 2, by: 'Ana' }],
    };
    const key = fleetKey.ledger(intent.id);
    expect(parseFleetEntry(key, intent)).toEqual({ type: 'intent', value: intent });
    expect([...parseFleet(new Map([[key, intent]])).intents.values()]).toEqual([intent]);
    expect(parseFleetEntry('ledger/another', intent)).toEqual({ type: 'unreadable' });
  });

  it('[F7] reads who acts on a host', () => {
    const lease = { hostId: 'box', holder: 'i1', purpose: 'Load coder', since: 1, expiresAt: 2 };
    const key = fleetKey.lease('box');
    expect(parseFleetEntry(key, lease)).toEqual({ type: 'lease', value: lease });
    expect([...parseFleet(new Map([[key, lease]])).leases.values()]).toEqual([lease]);
    expect(parseFleetEntry('lease/other', lease)).toEqual({ type: 'unreadable' });
  });

  it('[F8] counts unreadable records and ignores keys and fields of a newer server', () => {
    const records = parseFleet(
      new Map<string, unknown>([
        ['meta', { protocol: 1, generation: 1, createdAt: 5, later: true }],
        ['model/box/org/name/with:slashes and spaces', { ...model, later: 1 }],
        ['segment/activity/2026-11-30T14.0', segment],
        ['model/box/x', null],
        ['wish/box', {}],
        ['metadata', {}],
      ]),
    );
    expect(records.meta).toEqual({ protocol: 1, generation: 1, createdAt: 5 });
    expect([...records.models.values()]).toEqual([model]);
    expect([...records.segments.values()]).toEqual([segment]);
    expect(records.unreadable).toBe(1);
  });

  it('leaves out fields of a model that say nothing, and reads them back', () => {
    const bare: Model = {
      hostId: 'box',
      modelId: 'org/chat',
      name: '',
      description: '',
      state: 'stopped',
      since: null,
      observedAt: 1,
      aliases: [],
      peerId: null,
      unlisted: false,
      contextLength: null,
      capabilities: [],
      failedStart: null,
    };
    const told: Model = {
      ...bare,
      description: 'small',
      contextLength: 8192,
      capabilities: ['vision'],
      failedStart: { at: 1, reason: 'out of memory', lines: ['CUDA error'] },
    };
    expect(Object.keys(modelEntry(bare))).not.toContain('failedStart');
    for (const value of [bare, told]) {
      const key = fleetKey.model(value.hostId, value.modelId);
      expect(parseFleetEntry(key, modelEntry(value))).toEqual({ type: 'model', value });
    }
  });
});
