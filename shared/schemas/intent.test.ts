import { describe, expect, it } from 'vitest';
import { INTENT_KINDS } from './intent.ts';
import { intentRecord, intentRequest } from './intent-request.ts';

const ID = '0192A5B4-7C1D-7E2F-8A3B-4C5D6E7F8091';
const request = (more: object) => intentRequest.safeParse({ id: ID, target: { hostId: 'marlin' }, ...more });
const model = { hostId: 'marlin', modelId: 'org/coder [1m]' };

describe('an intent as sent', () => {
  it('has its id in lower case, so that one intent has one name, and defaults for what is left out', () => {
    expect(request({ kind: 'model.load', target: model }).data).toEqual({
      id: ID.toLowerCase(),
      kind: 'model.load',
      target: model,
      params: {},
      whenDown: 'reject',
    });
  });

  it('takes every kind with the params it needs, and refuses it without', () => {
    const good: Record<(typeof INTENT_KINDS)[number], object> = {
      'model.load': { target: model },
      'model.unload': { params: { all: true } },
      'request.cancel': { params: { requestId: '12' } },
      'profile.activate': { params: { name: null } },
      'host.pause': { params: { untilMs: 1_796_000_000_000 } },
      'host.resume': {},
    };
    const accepted = INTENT_KINDS.filter((kind) => request({ kind, ...good[kind] }).success);
    expect(accepted).toEqual(INTENT_KINDS);
    expect(request({ kind: 'model.load' }).success).toBe(false);
    expect(request({ kind: 'request.cancel' }).success).toBe(false);
    expect(request({ kind: 'profile.activate' }).success).toBe(false);
  });

  it('unloads one model or all, never both and never neither', () => {
    expect(request({ kind: 'model.unload', target: model }).success).toBe(true);
    expect(request({ kind: 'model.unload', target: model, params: { all: true } }).success).toBe(false);
    expect(request({ kind: 'model.unload' }).success).toBe(false);
  });

  it.each([
    ['an unknown kind', { kind: 'host.explode' }],
    ['an unknown field', { kind: 'host.resume', force: true }],
    ['an unknown param', { kind: 'host.resume', params: { now: true } }],
    ['no UUID', { kind: 'host.resume', id: 'one' }],
    ['a lifetime of a month', { kind: 'host.resume', ttlMs: 2_592_000_000 }],
    ['an empty set of states', { kind: 'model.load', target: model, precondition: { modelState: [] } }],
  ])('refuses %s', (_what, more) => {
    expect(request(more).success).toBe(false);
  });
});

describe('a record of an outbox', () => {
  it('is a request with its time and epoch', () => {
    const made = { v: 1, createdAt: 5, epoch: 1, id: ID, kind: 'host.resume', target: { hostId: 'marlin' } };
    expect(intentRecord.safeParse(made).data).toMatchObject({ seenAt: null, params: {} });
    expect(intentRecord.safeParse({ ...made, v: 2 }).success).toBe(false);
    expect(intentRecord.safeParse({ ...made, createdAt: 'now' }).success).toBe(false);
    expect(intentRecord.safeParse({ ...made, kind: 'model.unload' }).success).toBe(false);
  });
});
