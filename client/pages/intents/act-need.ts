import type { Host } from '#shared/schemas/host.ts';
import type { InFlight, InFlightRequest } from '#shared/schemas/in-flight.ts';
import type { Model } from '#shared/schemas/model.ts';
import type { ActDraft } from './act-drafts.ts';
import { modelOf } from './act-drafts.ts';

/** What is known when somebody wants to act. */
export interface ActFacts {
  /** Null: the fleet has none of that id any more. */
  readonly host: Host | null;
  readonly models: readonly Model[];
  /** What runs on the host; null while nothing is known, as always when the collector is away. */
  readonly inFlight: InFlight | null;
  /** This device hears the collector. */
  readonly isLive: boolean;
}

/** Requests that an action would cut: those that are listed, and how many there are; null: not known. */
export interface Cut {
  readonly count: number | null;
  readonly requests: readonly InFlightRequest[];
}

/** What a person has to agree to before an action is queued. */
export type ActNeed =
  /** Something may be cut. */
  | { readonly ask: 'cut'; readonly cut: Cut; readonly waits: boolean }
  /** It wakes a machine. */
  | { readonly ask: 'wake' }
  /** The host is away: it can only wait until it is back. */
  | { readonly ask: 'wait' };

/** States in which a model holds no memory. */
const AT_REST = ['stopped', 'shutdown'];

/**
 * Whether an action has to be asked about, and what for; null: it is queued at once. The collector asks the same
 * question again when its turn comes, and has the last word.
 */
export function actNeed(draft: ActDraft, facts: ActFacts): ActNeed | null {
  const { host } = facts;
  if (host === null) return null;
  switch (draft.kind) {
    case 'model.load':
      // What it would swap out is not on the wire; llama-swap lets that finish its requests first, so nothing is cut.
      if (isAsleep(host)) return { ask: 'wake' };
      return isAway(host) && draft.whenDown === 'reject' ? { ask: 'wait' } : null;
    case 'model.unload':
      return unloadNeed(draft, facts, host);
    case 'profile.activate':
      return (isAway(host) || isAsleep(host)) && draft.whenDown === 'reject' ? { ask: 'wait' } : null;
    case 'request.cancel':
      return { ask: 'cut', cut: cutRequest(draft.params.requestId, facts), waits: false };
    case 'host.pause':
    case 'host.resume':
      return null;
  }
}

function unloadNeed(draft: ActDraft, facts: ActFacts, host: Host): ActNeed | null {
  const modelId = modelOf(draft);
  const cut = cutBy(facts, modelId);
  const waits = isAway(host) || isAsleep(host);
  const stopsLoad = draft.supersedes !== undefined;
  if (modelId === null || waits) return { ask: 'cut', cut, waits };
  const state = facts.models.find((model) => model.modelId === modelId)?.state ?? 'unknown';
  if (cut.count === 0) return null;
  // A model that is not ready yet serves nobody: to stop its load cuts no answer.
  if (stopsLoad && cut.count === null && state !== 'ready') return null;
  const isGone = facts.isLive && AT_REST.includes(state);
  return isGone && !stopsLoad ? null : { ask: 'cut', cut, waits };
}

/** The one request that would be cut: none once it has ended, null where the host lists none. */
function cutRequest(requestId: string, facts: ActFacts): Cut {
  const { count, requests } = cutBy(facts, null);
  const listed = requests.filter(({ id }) => id === requestId);
  const isListed = count !== null && facts.inFlight !== null && facts.inFlight.requests !== null;
  return { count: isListed ? listed.length : null, requests: listed };
}

/** What runs on a model (null: on the host) now, as far as this device hears it. */
export function cutBy({ host, inFlight, isLive }: ActFacts, modelId: string | null): Cut {
  const isHeard = isLive && host?.liveness === 'connected' && !host.paused;
  if (!isHeard || inFlight === null) return { count: null, requests: [] };
  if (inFlight.requests !== null) {
    const requests = inFlight.requests.filter((request) => modelId === null || request.modelId === modelId);
    return { count: requests.length, requests };
  }
  // A number for the whole host says of one model only that nothing runs when nothing runs at all.
  const count = modelId === null || inFlight.total === 0 ? inFlight.total : null;
  return { count, requests: [] };
}

function isAsleep(host: Host): boolean {
  return host.liveness === 'asleep' && !host.paused;
}

/** As far as this device knows; a stream that only broke a moment ago is waited for by the collector itself. */
function isAway(host: Host): boolean {
  return host.paused || ['down', 'unauthorized', 'incompatible'].includes(host.liveness);
}
