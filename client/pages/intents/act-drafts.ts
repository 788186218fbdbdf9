import type { IntentDraft } from '../../data/intents/types.ts';

type WithoutSeen<D> = D extends unknown ? Omit<D, 'seenAt'> : never;

/** What somebody wants done, before it is asked whether they know what it costs. */
export type ActDraft = WithoutSeen<IntentDraft>;

/** Brings a model into memory. */
export function loadDraft(hostId: string, modelId: string): ActDraft {
  return { kind: 'model.load', target: { hostId, modelId }, params: {}, whenDown: 'reject' };
}

/** Takes a model out of memory. `stops` names the load that runs and is to be stopped by it. */
export function unloadDraft(hostId: string, modelId: string, stops?: string): ActDraft {
  return {
    kind: 'model.unload',
    target: { hostId, modelId },
    params: {},
    whenDown: 'reject',
    ...(stops === undefined ? {} : { supersedes: stops }),
  };
}

/** Takes every model of a host out of memory. */
export function unloadAllDraft(hostId: string): ActDraft {
  return { kind: 'model.unload', target: { hostId }, params: { all: true }, whenDown: 'reject' };
}

/** Cuts one running request. */
export function cancelRequestDraft(hostId: string, modelId: string, requestId: string): ActDraft {
  // An empty model name is possible on the wire, and names no target.
  const target = modelId === '' ? { hostId } : { hostId, modelId };
  return { kind: 'request.cancel', target, params: { requestId }, whenDown: 'reject' };
}

/** Switches a host's profile; null: to none. */
export function profileDraft(hostId: string, name: string | null): ActDraft {
  return { kind: 'profile.activate', target: { hostId }, params: { name }, whenDown: 'reject' };
}

/** Stops listening to a host: until `untilMs`, or until somebody resumes it. */
export function pauseDraft(hostId: string, untilMs: number | null = null): ActDraft {
  const params = untilMs === null ? {} : { untilMs };
  return { kind: 'host.pause', target: { hostId }, params, whenDown: 'reject' };
}

/** Listens to a host again. */
export function resumeDraft(hostId: string): ActDraft {
  return { kind: 'host.resume', target: { hostId }, params: {}, whenDown: 'reject' };
}

/** The model that a draft is about; null: the host. */
export function modelOf(draft: ActDraft): string | null {
  return ('modelId' in draft.target ? draft.target.modelId : undefined) ?? null;
}
