import type { Host } from '#shared/schemas/host.ts';
import type { InFlight } from '#shared/schemas/in-flight.ts';
import type { Model } from '#shared/schemas/model.ts';

/** A host that is heard, `marlin` unless it has another id; called and reached by that. */
export function hostOf(change: Partial<Host> = {}): Host {
  const { id = 'marlin' } = change;
  return {
    id,
    label: id,
    url: `http://${id}.lan:8080`,
    liveness: 'connected',
    since: 0,
    lastSeenAt: 0,
    reason: null,
    version: 'v250',
    paused: false,
    managedByFile: false,
    demo: false,
    keySource: null,
    attempt: null,
    nextAttemptAt: null,
    features: [],
    clockOffsetMs: null,
    ...change,
  };
}

/** A model of `marlin` that is ready, `coder`. */
export function modelOf(change: Partial<Model> = {}): Model {
  return {
    hostId: 'marlin',
    modelId: 'coder',
    name: '',
    description: '',
    state: 'ready',
    since: 0,
    observedAt: 0,
    aliases: [],
    peerId: null,
    unlisted: false,
    contextLength: null,
    capabilities: [],
    failedStart: null,
    ...change,
  };
}

/** So many requests that run on `coder` of `marlin`. */
export function runningOf(count: number): InFlight {
  return {
    hostId: 'marlin',
    total: count,
    observedAt: 0,
    requests: Array.from({ length: count }, (_, index) => ({
      id: String(index + 1),
      modelId: 'coder',
      path: '/v1/chat/completions',
      method: 'POST',
      elapsedMs: 1000,
      observedAt: 0,
      source: 'open-webui',
    })),
  };
}
