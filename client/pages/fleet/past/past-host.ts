import type { Host } from '#shared/schemas/host.ts';
import type { Model, ModelEvent } from '#shared/schemas/model.ts';
import { ROLLUP_MS, type LivePerformance } from '#shared/schemas/performance.ts';
import type { HostHistory } from '../../../data/use-fleet-history.ts';
import { formatMoment, plural } from '../../../ui/format.ts';
import { wholeModelRow, type ModelRowView } from '../../host-parts/model-view.ts';
import { performanceView, type GpuView } from '../../host-parts/performance-view.ts';

/** A host as it was at a moment, as far as this device knows. */
export interface PastHost {
  readonly id: string;
  readonly label: string;
  readonly demo: boolean;
  /** Models that were not at rest, or had failed to start. */
  readonly models: readonly ModelRowView[];
  /** Names of those that were stopped, and of those of which nothing is known. */
  readonly stopped: readonly string[];
  readonly unknown: readonly string[];
  readonly gpus: readonly GpuView[];
  /** `12 requests in the hour before, 2 failed`; null: this device holds none of that time. */
  readonly requests: string | null;
  /** Why less is known than a card shows: said in words. */
  readonly note: string | null;
}

/** What it is made of; `history` null: this device holds none of that host. */
export interface PastFacts {
  readonly host: Pick<Host, 'id' | 'label' | 'demo' | 'features' | 'hardware'>;
  readonly models: readonly Model[];
  readonly history: HostHistory | null;
  readonly clockOffsetMs: number;
}

const HOUR_MS = 3_600_000;
/** `demo-2` before `demo-10`. */
const byName = new Intl.Collator(undefined, { numeric: true });

/** A host at a moment of the collector's clock; `now` only says which day is today. */
export function pastHost(
  facts: PastFacts,
  { at, now }: { readonly at: number; readonly now: number },
): PastHost {
  const { host, history } = facts;
  const base = { id: host.id, label: host.label, demo: host.demo };
  if (history === null)
    return { ...base, models: [], stopped: [], unknown: [], gpus: [], requests: null, note: NOTHING };
  const known = history.events.from !== null && history.events.from <= at;
  const byModel = Map.groupBy(history.events.events, ({ modelId }) => modelId);
  const current = new Map(facts.models.map((model) => [model.modelId, model]));
  const ids = [...new Set([...current.keys(), ...byModel.keys()])].sort(byName.compare);
  const states = ids.map((modelId) => ({
    modelId,
    model: current.get(modelId),
    past: known ? stateAt(byModel.get(modelId) ?? [], current.get(modelId), at) : null,
  }));
  const own = states.filter(({ model }) => model?.peerId == null);
  const view = gauges(facts, history, { at, now });
  return {
    ...base,
    models: own.flatMap(({ modelId, past }) =>
      past === null || (isAtRest(past.state) && past.failure === null)
        ? []
        : [rowOf(host.id, { modelId, past, isServing: serves(history, modelId, at) }, now)],
    ),
    stopped: own.flatMap(({ modelId, past }) =>
      past !== null && isAtRest(past.state) && past.failure === null ? [modelId] : [],
    ),
    unknown: own.flatMap(({ modelId, past }) => (past === null ? [modelId] : [])),
    gpus: view.gpus,
    requests: requestWords(history, at),
    note: known ? view.note : history.events.from === null ? NOTHING : notBefore(history.events.from, now),
  };
}

const NOTHING = 'This device holds no states of it.';

function notBefore(from: number, now: number): string {
  return `This device knows its states from ${formatMoment(from, now)} on.`;
}

interface PastState {
  readonly state: string;
  /** Null: before what is known. */
  readonly since: number | null;
  readonly failure: string | null;
}

/** What the last transition before a moment led to, or what the first one after it led away from; null: not known. */
function stateAt(events: readonly ModelEvent[], model: Model | undefined, at: number): PastState | null {
  const last = events.findLast((event) => event.at <= at);
  // A model that was only found in a state may have been in it for long.
  if (last !== undefined)
    return { state: last.to, since: last.from === null ? null : last.at, failure: last.reason };
  const next = events[0];
  if (next !== undefined) return next.from === null ? null : { state: next.from, since: null, failure: null };
  if (model === undefined || (model.since !== null && model.since > at)) return null;
  return { state: model.state, since: model.since, failure: null };
}

function isAtRest(state: string): boolean {
  return state === 'stopped' || state === 'shutdown';
}

function serves({ timeline }: HostHistory, modelId: string, at: number): boolean {
  const spans = timeline.serving.find((one) => one.modelId === modelId)?.spans ?? [];
  return spans.some(({ from, to }) => from <= at && at < to);
}

function rowOf(
  hostId: string,
  { modelId, past, isServing }: { modelId: string; past: PastState; isServing: boolean },
  now: number,
): ModelRowView {
  const { state, since, failure } = past;
  const failedStart = failure === null ? null : { at: since ?? 0, reason: failure, lines: [] };
  const model: Model = {
    hostId,
    modelId,
    name: '',
    description: '',
    state,
    since,
    observedAt: now,
    aliases: [],
    peerId: null,
    unlisted: false,
    contextLength: null,
    capabilities: [],
    failedStart,
  };
  const row = wholeModelRow(model, { freshness: 'past', inFlight: null, isHostHeard: false, now, at: now });
  return isServing && failure === null ? { ...row, runningWords: 'was serving' } : row;
}

function requestWords({ timeline }: HostHistory, at: number): string | null {
  if (timeline.heldFrom === null || timeline.heldFrom > at - HOUR_MS) return null;
  const sum = (counts: readonly number[]): number =>
    counts.reduce((all, count, place) => {
      const begin = timeline.from + place * timeline.bucketMs;
      return begin >= at - HOUR_MS && begin < at ? all + count : all;
    }, 0);
  const failed = sum(timeline.failed);
  const isLost = timeline.gaps.some((gap) => gap.to > at - HOUR_MS && (gap.from ?? gap.to) < at);
  const words = `${isLost ? 'at least ' : ''}${plural(sum(timeline.requests), 'request')} in the hour before`;
  return failed === 0 ? words : `${words}, ${failed} failed`;
}

function gauges(
  { host, clockOffsetMs }: PastFacts,
  { performance }: HostHistory,
  { at, now }: { readonly at: number; readonly now: number },
): { readonly gpus: readonly GpuView[]; readonly note: string | null } {
  const hostAt = at - clockOffsetMs;
  const { system, gpus } = performance.answer;
  const isOf = ({ at: begin }: { readonly at: number }): boolean =>
    begin <= hostAt && hostAt < begin + ROLLUP_MS;
  const machine = system.findLast(isOf) ?? null;
  const cards = gpus.flatMap(({ samples, ...gpu }) => {
    const sample = samples.findLast(isOf);
    return sample === undefined ? [] : [{ ...gpu, sample }];
  });
  if (machine === null && cards.length === 0) {
    if (!host.features.includes('performance')) return { gpus: [], note: NO_WITNESS };
    const isHeld =
      performance.heldTo !== null && performance.heldFrom !== null
        ? hostAt >= performance.heldFrom && hostAt < performance.heldTo
        : false;
    return { gpus: [], note: isHeld ? NOT_HEARD : NO_SAMPLES };
  }
  const past: LivePerformance = { hostId: host.id, observedAt: at, system: machine, gpus: cards };
  const view = performanceView({ host, performance: past, isPast: true, isAway: false, now });
  return { gpus: view.gpus.map((gpu) => ({ ...gpu, stamp: null })), note: null };
}

const NOT_HEARD =
  'No samples of this moment: the host or the collector was away. States are the last ones told.';
const NO_WITNESS =
  'It serves no samples: whether it was reachable then is not known. States are the last ones told.';
const NO_SAMPLES = 'Samples of this time are not on this device.';
