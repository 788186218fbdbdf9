import type { Host } from '#shared/schemas/host.ts';
import type { Model } from '#shared/schemas/model.ts';
import { formatAge, formatMoment, plural } from '../../ui/format.ts';
import { currentFailure } from '../host-parts/model-view.ts';
import { cutBy } from '../intents/act-need.ts';
import type { PaletteFacts } from './palette-item.ts';

/** States of a model that takes no memory. */
export const AT_REST = ['stopped', 'shutdown'];

/** State of a host and since when, or what it was. */
export function hostWords(host: Host, facts: PaletteFacts): string {
  const state = host.paused ? 'paused' : host.liveness === 'connected' ? 'live' : host.liveness;
  const age = formatAge(facts.now - host.since);
  return facts.isLive ? `${state} ${age}` : `was ${state}, ${stampWords(facts)}`;
}

/** State of a model and since when, or what it was. */
export function stateWords(model: Model, facts: PaletteFacts): string {
  if (!facts.isLive) return `was ${model.state}, ${stampWords(facts)}`;
  if (currentFailure(model) !== null && AT_REST.includes(model.state)) return 'failed to start';
  return model.since === null ? model.state : `${model.state} ${formatAge(facts.now - model.since)}`;
}

/** How many requests an action would meet: of a model, or (null) of the whole host. */
export function runsWords(host: Host, modelId: string | null, facts: PaletteFacts): string {
  const { count } = cutBy(
    {
      host,
      models: facts.models,
      inFlight: facts.inFlight.find(({ hostId }) => hostId === host.id) ?? null,
      isLive: facts.isLive,
    },
    modelId,
  );
  if (count === null) return 'running requests not known';
  return count === 0 ? 'idle' : `${plural(count, 'request').replace(/ requests?$/, '')} running`;
}

/** How old what is shown is; nothing while it is live. */
export function stampWords({ asOf, now, isLive }: PaletteFacts): string {
  if (isLive) return '';
  return asOf === null ? 'not known since when' : `as of ${formatMoment(asOf, now)}`;
}

/** What people call a host. */
export function labelOf(hosts: readonly Host[], hostId: string): string {
  return hosts.find(({ id }) => id === hostId)?.label ?? hostId;
}
