import type { Model } from '#shared/schemas/model.ts';
import { formatAge, formatCount, UNKNOWN } from '../../ui/format.ts';
import type { RunningRequest } from '../frame/running-view.ts';
import { runningRequests } from '../frame/running-view.ts';
import type { CollectorHop, HostFacts } from '../host-parts/host-view.ts';
import { modelRows } from '../host-parts/host-view.ts';

/** What the sheet of a model lists: names and values, and the requests that run on it. */
export interface ModelFactsView {
  readonly rows: readonly (readonly [string, string])[];
  readonly requests: readonly RunningRequest[];
}

/** See {@link ModelFactsView}. `facts` holds the one model. */
export function modelFacts(facts: HostFacts, model: Model, hop: CollectorHop, now: number): ModelFactsView {
  const { host, inFlight } = facts;
  const [row] = modelRows(facts, hop, now);
  const isHeard = hop.kind === 'live' && host.liveness === 'connected' && !host.paused;
  const listed = isHeard && inFlight !== null ? runningRequests([inFlight], now).requests : [];
  const optional = (name: string, value: string): (readonly [string, string])[] =>
    value === '' ? [] : [[name, value]];
  return {
    rows: [
      ['State', row === undefined ? UNKNOWN : `${row.word} ${row.time}`.trim()],
      ['Host', host.label],
      ...(model.peerId === null ? [['Running requests', formatCount(row?.running ?? null)] as const] : []),
      ...optional('Name', model.name === model.modelId ? '' : model.name),
      ...optional('About', model.description),
      ...optional('Also called', model.aliases.join(', ')),
      ...optional('Peer', model.peerId ?? ''),
      ...optional(
        'Context',
        model.contextLength === null ? '' : `${formatCount(model.contextLength)} tokens`,
      ),
      ...optional('Can', model.capabilities.join(', ')),
      ...optional('TTL', ttlWords(model.ttlMs)),
    ],
    requests: listed.filter((request) => request.modelId === model.modelId),
  };
}

function ttlWords(ttlMs: number | undefined): string {
  if (ttlMs === undefined) return '';
  return ttlMs === 0 ? 'none: it stays loaded' : `${formatAge(ttlMs)} after its last request`;
}
