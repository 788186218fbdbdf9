import type { LogState } from '#sync/log-frame.ts';
import type { HostFacts } from './host-facts.ts';

/** How lines of a log come, and whether a stream of their own has to be opened. */
export interface LogPlan {
  readonly state: LogState;
  readonly detail: string | null;
  readonly needsStream: boolean;
}

/**
 * Where lines come from: up to v258 a host's own logs arrive with its other events, later ones and those of a model on
 * streams that are asked for. Behind a wake-on-LAN proxy nothing is asked: it would wake the machine, or keep it awake.
 */
export function logPlan(facts: HostFacts | null, modelId: string | null): LogPlan {
  const without = (state: LogState): LogPlan => ({ state, detail: null, needsStream: false });
  if (facts === null) return without('not-connected');
  if (facts.liveness === 'asleep') return without('asleep');
  if (facts.liveness !== 'connected' || facts.host.paused) return without('not-connected');
  const offers = (word: string): boolean => facts.features.includes(word);
  if (modelId === null && !offers('log-stream')) return without('live');
  if (offers('wol-proxy')) return without('asleep');
  if (modelId !== null && !offers('model-logs')) return without('not-offered');
  return { state: 'live', detail: null, needsStream: true };
}
