import type { IntentFacts } from '#shared/schemas/intent.ts';
import type { Liveness } from '#shared/schemas/host.ts';
import type { InFlight, InFlightRequest } from '#shared/schemas/in-flight.ts';
import type { Model } from '#shared/schemas/model.ts';
import type { HostConfig } from './ports.ts';

/** What is known of a host at one moment, as its connector told it: what an intent is judged by. */
export interface HostFacts {
  readonly host: HostConfig;
  readonly liveness: Liveness;
  /** Since when it has that liveness. */
  readonly since: number;
  /** Why, in words; null when there is nothing to say. */
  readonly reason: string | null;
  /** True when `models` were told on the connection that stands now; else they are the last known ones. */
  readonly current: boolean;
  readonly models: readonly Model[];
  /** Null when nothing is known of what runs. */
  readonly inFlight: InFlight | null;
  readonly features: readonly string[];
  /** False while a connection stands whose host has yet to list the requests that ended before it. */
  readonly listed: boolean;
  /** The active profile as told on the connection that stands; null: not told. */
  readonly profile: { readonly active: string | null } | null;
}

/** The facts of every host, live, and who wants to hear of changes. */
export interface HostObserver {
  /** Null when there is no such host. */
  facts(hostId: string): HostFacts | null;
  /** When the last request of a model (null: of any) ended, as far as it is known. */
  lastEndedAt(hostId: string, modelId: string | null): number | null;
  /** Called after anything of a host changed; the returned function ends it. */
  onChange(listener: (hostId: string) => void): () => void;
}

/** The model with this id or alias; null when the host does not list it. */
export function findModel(facts: HostFacts, modelId: string): Model | null {
  return (
    facts.models.find((model) => model.modelId === modelId) ??
    facts.models.find((model) => model.aliases.includes(modelId)) ??
    null
  );
}

/** State of a model now; null when it is not known. */
export function modelState(facts: HostFacts, modelId: string): string | null {
  return facts.current ? (findModel(facts, modelId)?.state ?? null) : null;
}

/** True for a state in which a model holds memory. */
export function isActiveState(state: string): boolean {
  return state !== 'stopped' && state !== 'unknown' && state !== 'shutdown' && state !== '';
}

/** Requests of a model that run now; null when the host does not list them, or says nothing to be trusted. */
export function runningRequests(facts: HostFacts, modelId: string | null): readonly InFlightRequest[] | null {
  const requests = facts.liveness === 'connected' ? (facts.inFlight?.requests ?? null) : null;
  if (requests === null || modelId === null) return requests;
  const canonical = findModel(facts, modelId)?.modelId ?? modelId;
  return requests.filter((request) => request.modelId === canonical || request.modelId === modelId);
}

/** How many requests of a model (null: of the whole host) run now; null when that is not known. */
export function runningCount(facts: HostFacts, modelId: string | null): number | null {
  if (facts.liveness !== 'connected') return null;
  const requests = runningRequests(facts, modelId);
  if (requests !== null) return requests.length;
  // A model that is not loaded serves nobody, whether its host lists what runs or not.
  if (modelId !== null && modelState(facts, modelId) === 'stopped') return 0;
  const total = facts.inFlight?.total ?? null;
  // A number for the whole host says of one model only that nothing runs when nothing runs at all.
  return modelId === null || total === 0 ? total : null;
}

/** The facts as evidence. */
export function evidenceOf(facts: HostFacts | null, modelId: string | null, at: number): IntentFacts {
  return {
    at,
    liveness: facts?.liveness ?? null,
    modelState: facts && modelId !== null ? modelState(facts, modelId) : null,
    inFlight: facts ? runningCount(facts, modelId) : null,
  };
}
