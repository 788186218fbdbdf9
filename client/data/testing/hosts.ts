import type { Host } from '#shared/schemas/host.ts';

/** A host that is connected. */
export function hostOf(id: string, over: Partial<Host> = {}): Host {
  return {
    id,
    label: id,
    url: `http://${id}.lan:8080`,
    liveness: 'connected',
    since: 1,
    lastSeenAt: 2,
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
    ...over,
  };
}
