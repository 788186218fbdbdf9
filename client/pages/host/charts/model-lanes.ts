import type { Model, ModelEvent } from '#shared/schemas/model.ts';
import type { HeldTimeline } from '../../../data/history/held-timeline.ts';
import type { Stretch } from './zoom.ts';

/** A stretch in which a model was in one state; `off`: known to be at rest. */
export interface LaneSpan extends Stretch {
  readonly kind: 'ready' | 'starting' | 'stopping' | 'off';
}

/** What a model did in the time that is shown. */
export interface ModelLane {
  readonly modelId: string;
  /** Ascending, beside each other or with holes of which nothing is known. */
  readonly spans: readonly LaneSpan[];
  readonly serving: readonly Stretch[];
  readonly failures: readonly { readonly at: number; readonly reason: string }[];
}

/** What lanes are made of; all times are the collector's. */
export interface LaneFacts {
  readonly models: readonly Pick<Model, 'modelId' | 'state' | 'since' | 'peerId'>[];
  /** Transitions from the begin of what is shown to the newest there is, ascending. */
  readonly events: readonly ModelEvent[];
  /** How far back transitions are known without a hole; null: none is. */
  readonly eventsFrom: number | null;
  readonly serving: HeldTimeline['serving'];
  /** Requests that run now. */
  readonly running: readonly { readonly modelId: string; readonly startedAt: number }[];
  /** Until when states are known: now, or when the host or the collector was last heard. */
  readonly knownUntil: number;
  /** When nobody looked: whatever was told before says nothing of then. */
  readonly unseen: readonly Stretch[];
}

/** `demo-2` before `demo-10`. */
const byName = new Intl.Collator(undefined, { numeric: true });

/** The lanes of all models that did anything between two moments, by name. */
export function modelLanes(facts: LaneFacts, bounds: Stretch): readonly ModelLane[] {
  const events = Map.groupBy(facts.events, ({ modelId }) => modelId);
  const served = new Map(facts.serving.map(({ modelId, spans }) => [modelId, spans]));
  const running = Map.groupBy(facts.running, ({ modelId }) => modelId);
  const current = new Map(
    facts.models.filter(({ peerId }) => peerId === null).map((model) => [model.modelId, model]),
  );
  const ids = new Set([...events.keys(), ...served.keys(), ...current.keys()]);
  const lanes = [...ids].sort(byName.compare).map((modelId): ModelLane => {
    const own = events.get(modelId) ?? [];
    const now = (running.get(modelId) ?? []).map(({ startedAt }) => ({
      from: startedAt,
      to: facts.knownUntil,
    }));
    return {
      modelId,
      spans: clipped(without(spansOf(own, current.get(modelId), facts), facts.unseen), bounds),
      serving: clipped([...(served.get(modelId) ?? []), ...now], bounds),
      failures: own.flatMap(({ at, reason }) =>
        reason !== null && at >= bounds.from && at <= bounds.to ? [{ at, reason }] : [],
      ),
    };
  });
  return lanes.filter(
    ({ spans, serving, failures }) =>
      serving.length > 0 || failures.length > 0 || spans.some(({ kind }) => kind !== 'off'),
  );
}

/** What a model did at a moment, in llama-swap's word; null: not known. */
export function laneStateAt({ spans }: ModelLane, at: number): string | null {
  const span = spans.find(({ from, to }) => at >= from && at < to) ?? spans.find(({ to }) => at === to);
  if (span === undefined) return null;
  return span.kind === 'off' ? 'stopped' : span.kind;
}

function spansOf(
  events: readonly ModelEvent[],
  model: LaneFacts['models'][number] | undefined,
  { eventsFrom, knownUntil }: LaneFacts,
): readonly LaneSpan[] {
  const [first] = events;
  if (first === undefined) {
    const since = model?.since ?? eventsFrom;
    return model === undefined || since === null ? [] : spanOf(model.state, { from: since, to: knownUntil });
  }
  const before =
    first.from === null || eventsFrom === null
      ? []
      : spanOf(first.from, { from: Math.min(eventsFrom, first.at), to: first.at });
  const after = events.flatMap(({ to, at }, place) =>
    spanOf(to, { from: at, to: events[place + 1]?.at ?? knownUntil }),
  );
  return [...before, ...after];
}

function spanOf(state: string, { from, to }: Stretch): readonly LaneSpan[] {
  const kind = KINDS[state];
  return kind === undefined || to < from ? [] : [{ kind, from, to }];
}

const KINDS: Readonly<Record<string, LaneSpan['kind']>> = {
  ready: 'ready',
  starting: 'starting',
  stopping: 'stopping',
  stopped: 'off',
  shutdown: 'off',
};

/** What is left of spans outside of `holes`. */
function without(spans: readonly LaneSpan[], holes: readonly Stretch[]): readonly LaneSpan[] {
  return holes.reduce<readonly LaneSpan[]>(
    (left, hole) =>
      left.flatMap((span) =>
        span.to <= hole.from || span.from >= hole.to
          ? [span]
          : [
              { ...span, to: hole.from },
              { ...span, from: hole.to },
            ].filter(({ from, to }) => to > from),
      ),
    spans,
  );
}

function clipped<T extends Stretch>(spans: readonly T[], { from, to }: Stretch): readonly T[] {
  return spans.flatMap((span) =>
    span.to < from || span.from > to
      ? []
      : [{ ...span, from: Math.max(from, span.from), to: Math.min(to, span.to) }],
  );
}
