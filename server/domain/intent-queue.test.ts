import { describe, expect, it } from 'vitest';
import { intentRequest } from '#shared/schemas/intent-request.ts';
import type { InFlightRequest } from '#shared/schemas/in-flight.ts';
import { INTENT_REGISTRY } from '../intent-kinds/registry.ts';
import { modelRow } from '../testing/model-rows.ts';
import type { HostFacts } from './host-facts.ts';
import { decide, type Decision } from './intent-queue.ts';
import { receivedView } from './intent-receipt.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const CONNECTED_SINCE = NOW - 30_000;
const ANA = { kind: 'device', id: 'ana', label: 'Ana' } as const;

interface World {
  /** State of the model; `ready` unless given. */
  readonly state?: string;
  /** Models of the requests that run; null: their number is not known. */
  readonly runs?: readonly string[] | null;
  /** When the last request of each model ended. */
  readonly endedAt?: Readonly<Record<string, number>>;
  readonly listed?: boolean;
}

function running(modelId: string, index: number): InFlightRequest {
  return {
    id: String(index),
    modelId,
    path: '/v1/chat/completions',
    method: 'POST',
    elapsedMs: 1_000,
    observedAt: NOW,
    source: null,
  };
}

/** What becomes of an unload of `coder` (null: of everything) with this precondition. */
function judge(precondition: object, world: World, modelId: string | null = 'coder'): Decision {
  const { state = 'ready', runs = [], endedAt = {}, listed = true } = world;
  const target = { hostId: 'marlin', ...(modelId === null ? {} : { modelId }) };
  const request = intentRequest.parse({
    id: '00000000-0000-7000-8000-000000000001',
    kind: 'model.unload',
    target,
    params: modelId === null ? { all: true } : {},
    precondition,
    // Agreed to whatever runs: what is tried here is the precondition.
    confirm: { ...target, inFlight: null },
  });
  const facts: HostFacts = {
    host: {
      id: 'marlin',
      label: 'marlin',
      url: 'http://marlin.lan',
      paused: false,
      managedByFile: false,
      demo: false,
      keySource: null,
    },
    liveness: 'connected',
    since: CONNECTED_SINCE,
    reason: null,
    current: true,
    models: ['coder', 'chat'].map((id) => modelRow({ hostId: 'marlin', modelId: id, state })),
    inFlight:
      runs === null
        ? { hostId: 'marlin', total: null, requests: null, observedAt: NOW }
        : { hostId: 'marlin', total: runs.length, requests: runs.map(running), observedAt: NOW },
    features: [],
    listed,
    profile: null,
  };
  const times = { createdAt: NOW, receivedAt: NOW, expiresAt: NOW + 300_000 };
  const intent = { seq: 1, view: receivedView(request, ANA, times), request };
  return decide({
    now: NOW,
    intent,
    role: 'operator',
    cancel: null,
    facts,
    lastEndedAt: (id) => (id === null ? Math.max(...Object.values(endedAt)) : (endedAt[id] ?? null)),
    open: [intent],
    lease: null,
    rulesOf: ({ kind }) => INTENT_REGISTRY[kind],
  });
}

const refused = (reason: string) => ({ do: 'end', event: 'reject', why: { code: 'precondition', reason } });

describe('inFlightMax', () => {
  it('holds up to its number, counted for the model where the target is one', () => {
    const world = { runs: ['coder', 'chat', 'chat'] };
    expect(judge({ inFlightMax: 1 }, world)).toEqual({ do: 'claim' });
    expect(judge({ inFlightMax: 0 }, world)).toMatchObject(
      refused('Not unloaded: 1 request was running; you had asked for at most 0.'),
    );
    expect(judge({ inFlightMax: 2 }, world, null)).toMatchObject(
      refused('Not unloaded: 3 requests were running; you had asked for at most 2.'),
    );
    expect(judge({ inFlightMax: 3 }, world, null)).toEqual({ do: 'claim' });
  });

  it('does not hold where nobody knows, however large', () => {
    expect(judge({ inFlightMax: 1_000 }, { runs: null })).toMatchObject(
      refused('Not unloaded: how many requests were running is not known; you had asked for at most 1000.'),
    );
  });

  it('holds for a model that is not loaded, whatever the host says of others', () => {
    expect(judge({ inFlightMax: 0 }, { runs: null, state: 'stopped' })).toEqual({ do: 'claim' });
    expect(judge({ inFlightMax: 0 }, { runs: null, state: 'unknown' })).toMatchObject({ do: 'end' });
    expect(judge({ inFlightMax: 0 }, { runs: null, state: 'stopped' }, null)).toMatchObject({ do: 'end' });
  });
});

describe('idleForMs', () => {
  it('counts from the end of the last request of that model', () => {
    const endedAt = { coder: NOW - 600_000, chat: NOW - 1_000 };
    expect(judge({ idleForMs: 600_000 }, { endedAt })).toEqual({ do: 'claim' });
    expect(judge({ idleForMs: 600_001 }, { endedAt })).toMatchObject(
      refused('Not unloaded: quiet for 10 min; you had asked for 10 min.'),
    );
    expect(judge({ idleForMs: 2_000 }, { endedAt }, null)).toMatchObject(
      refused('Not unloaded: quiet for 1 s; you had asked for 2 s.'),
    );
  });

  it('waits for the list of the host where requests may have ended unseen', () => {
    const endedAt = { coder: NOW - 3_600_000 };
    expect(judge({ idleForMs: 600_000 }, { endedAt, listed: false })).toMatchObject({
      do: 'wait',
      why: { code: 'not_listed', reason: 'Until marlin has listed what ended before it was reached.' },
    });
  });

  it('counts from the connect where no request is known', () => {
    expect(judge({ idleForMs: 30_000 }, {})).toEqual({ do: 'claim' });
    expect(judge({ idleForMs: 31_000 }, {})).toMatchObject(
      refused('Not unloaded: quiet for 30 s; you had asked for 31 s.'),
    );
  });

  it('does not hold while something runs, nor where nobody knows', () => {
    const endedAt = { coder: NOW - 3_600_000 };
    expect(judge({ idleForMs: 1_000 }, { endedAt, runs: ['coder'] })).toMatchObject(
      refused('Not unloaded: 1 request was running; you had asked for 1 s of quiet.'),
    );
    expect(judge({ idleForMs: 1_000 }, { endedAt, runs: ['chat'] })).toEqual({ do: 'claim' });
    expect(judge({ idleForMs: 0 }, { endedAt, runs: null })).toMatchObject(
      refused('Not unloaded: how many requests were running is not known; you had asked for 0 s of quiet.'),
    );
  });
});
