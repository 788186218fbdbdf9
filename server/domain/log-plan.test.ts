import { expect, test } from 'vitest';
import type { Liveness } from '#shared/schemas/host.ts';
import type { HostFacts } from './host-facts.ts';
import { logPlan } from './log-plan.ts';

function facts(features: readonly string[], liveness: Liveness = 'connected', paused = false): HostFacts {
  return {
    host: {
      id: 'marlin',
      label: 'Marlin',
      url: 'http://marlin:8080',
      paused,
      managedByFile: false,
      demo: false,
      keySource: null,
    },
    liveness,
    since: 0,
    reason: null,
    current: true,
    models: [],
    inFlight: null,
    features,
    listed: true,
    profile: null,
  };
}

const OLD = ['activity'];
const V250 = ['activity', 'model-logs'];
const V262 = ['activity', 'log-stream', 'model-logs'];

test.each([
  // A host's own logs come with its events up to v258, from v259 on a stream of their own.
  ['own', V250, null, 'live', false],
  ['own', V262, null, 'live', true],
  ['one model', V250, 'coder', 'live', true],
  ['one model', OLD, 'coder', 'not-offered', false],
  // Behind a wake-on-LAN proxy nothing is asked; what comes by itself is shown.
  ['own behind a proxy', [...V250, 'wol-proxy'], null, 'live', false],
  ['own behind a proxy', [...V262, 'wol-proxy'], null, 'asleep', false],
  ['one model behind a proxy', [...V250, 'wol-proxy'], 'coder', 'asleep', false],
] as const)('%s of %j: %s', (_what, features, modelId, state, needsStream) => {
  expect(logPlan(facts(features), modelId)).toMatchObject({ state, needsStream });
});

test('nothing is opened on a host that is not connected, sleeps, is paused or is gone', () => {
  for (const modelId of [null, 'coder']) {
    expect(logPlan(facts(V262, 'asleep'), modelId)).toMatchObject({ state: 'asleep', needsStream: false });
    expect(logPlan(facts(V262, 'reconnecting'), modelId).needsStream).toBe(false);
    expect(logPlan(facts(V262, 'down'), modelId)).toMatchObject({
      state: 'not-connected',
      needsStream: false,
    });
    expect(logPlan(facts(V262, 'connected', true), modelId).needsStream).toBe(false);
    expect(logPlan(null, modelId).needsStream).toBe(false);
  }
});
