import type { Model, ModelEvent } from '#shared/schemas/model.ts';
import type { ObservedModel } from './ports.ts';

/** Ready since, read from an uptime, moves by the way's delay: only a larger move means another start. */
const UPTIME_TOLERANCE_MS = 5_000;

/** A start that ended in `stopped` without `ready`: failed or unloaded, which only the logs tell. */
export interface EndedStart {
  readonly modelId: string;
  /** When `starting` began; null when that was not seen. */
  readonly startedAt: number | null;
  readonly stoppedAt: number;
}

/** What a snapshot of a host's models changed. */
export interface ModelChanges {
  readonly models: readonly Model[];
  /** Transitions in the order of the snapshot; that of an ended start is held back until it is judged. */
  readonly events: readonly ModelEvent[];
  readonly endedStarts: readonly EndedStart[];
}

/** When and how a snapshot was seen: `live` means the one before it came on the same connection. */
export interface SnapshotContext {
  readonly hostId: string;
  readonly now: number;
  readonly live: boolean;
}

/** Compares a full snapshot with what was known. A state that did not change keeps its `since`, over reconnects too. */
export function observeModels(
  known: ReadonlyMap<string, Model>,
  snapshot: readonly ObservedModel[],
  context: SnapshotContext,
): ModelChanges {
  const models = new Map<string, Model>();
  const events: ModelEvent[] = [];
  const endedStarts: EndedStart[] = [];
  for (const observed of snapshot) {
    // A row listed twice (an alias equal to its model) is one model: the first, which is the local one.
    if (models.has(observed.modelId)) continue;
    const before = known.get(observed.modelId);
    const after = nextModel(before, observed, context);
    models.set(observed.modelId, after);
    if (observed.peerId !== null) continue;
    if (context.live && before?.state === 'starting' && after.state === 'stopped') {
      endedStarts.push({ modelId: after.modelId, startedAt: before.since, stoppedAt: context.now });
      continue;
    }
    events.push(...transitionOf(before, after, context));
  }
  for (const gone of known.values()) {
    // Taken out of the configuration: a reload stops every model.
    if (!models.has(gone.modelId) && gone.peerId === null && isActive(gone.state)) {
      events.push(event(gone, { from: gone.state, to: 'stopped', at: context.now }));
    }
  }
  return { models: [...models.values()], events, endedStarts };
}

/** The snapshot that a host before v218 does not send when a model's process ends by itself. */
export function snapshotWithExit(known: ReadonlyMap<string, Model>, modelId: string): ObservedModel[] {
  return [...known.values()].map((model) => ({
    modelId: model.modelId,
    name: model.name,
    description: model.description,
    state: model.modelId === modelId ? 'stopped' : model.state,
    aliases: model.aliases,
    peerId: model.peerId,
    unlisted: model.unlisted,
    contextLength: model.contextLength,
    capabilities: model.capabilities,
    uptimeMs: null,
  }));
}

function nextModel(before: Model | undefined, observed: ObservedModel, context: SnapshotContext): Model {
  const { uptimeMs: _uptimeMs, ...shown } = observed;
  const unchanged = before?.state === observed.state;
  return {
    ...shown,
    aliases: [...observed.aliases],
    capabilities: [...observed.capabilities],
    hostId: context.hostId,
    since: sinceOf(before, observed, context),
    observedAt: context.now,
    failedStart: unchanged && observed.state === 'stopped' ? before.failedStart : null,
    // Read once a connection and start: another start may be one with another configuration.
    ...(context.live && unchanged && before.ttlMs !== undefined && { ttlMs: before.ttlMs }),
  };
}

function sinceOf(
  before: Model | undefined,
  observed: ObservedModel,
  context: SnapshotContext,
): number | null {
  const known = before?.state === observed.state ? before.since : null;
  if (observed.state === 'ready' && observed.uptimeMs !== null) {
    const readySince = context.now - observed.uptimeMs;
    return known !== null && Math.abs(known - readySince) <= UPTIME_TOLERANCE_MS ? known : readySince;
  }
  if (before?.state === observed.state) return known;
  // It changed while nobody looked, or was never seen before: when is not known.
  return before && context.live ? context.now : null;
}

function transitionOf(before: Model | undefined, after: Model, context: SnapshotContext): ModelEvent[] {
  if (!before) {
    // A first inventory of thousands of stopped models is no news.
    return isActive(after.state)
      ? [event(after, { from: null, to: after.state, at: after.since ?? context.now })]
      : [];
  }
  if (before.state !== after.state) {
    // Between two connections it may have been anything: what it came from was not seen, nor when.
    const from = context.live ? before.state : null;
    return [event(after, { from, to: after.state, at: after.since ?? context.now })];
  }
  // Ready before and ready now, but for a shorter time than that: it was started again unseen.
  const { since } = after;
  const restarted = before.since !== null && since !== null && since > before.since;
  return restarted ? [event(after, { from: null, to: after.state, at: since })] : [];
}

function event(model: Model, change: Pick<ModelEvent, 'from' | 'to' | 'at'>): ModelEvent {
  return { type: 'model-event', hostId: model.hostId, modelId: model.modelId, reason: null, ...change };
}

function isActive(state: string): boolean {
  return state !== 'stopped' && state !== 'unknown' && state !== 'shutdown' && state !== '';
}
