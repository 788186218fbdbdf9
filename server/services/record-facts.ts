import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { Model, ModelEvent } from '#shared/schemas/model.ts';
import { fleetKey, modelEntry, parseFleetEntry } from '#sync/fleet-record.ts';
import { appendTail, tailSize } from '#sync/tail-codec.ts';
import type { TailRow } from '#sync/tail-codec.ts';
import { hostEntry, leftOut, modelsForDocument, sameHost, sameModel } from '../domain/fleet-projection.ts';
import type { HostStatus } from '../domain/ports.ts';
import { hourOf, tailBytesEstimate, TAIL_MAX_BYTES } from '../domain/segment-policy.ts';
import type { HistoryKind, Store } from '../domain/store-ports.ts';
import type { OpenDocuments } from './doc-host.ts';
import type { CachedHost, FleetCache } from './fleet-cache.ts';
import type { FactBatch } from './pending-facts.ts';

/** What a batch is recorded with; everything happens inside the caller's commit. */
export interface RecordContext {
  readonly store: Store;
  readonly cache: FleetCache;
  readonly now: number;
}

/** Writes a batch of facts as rows and into the documents; returns the hosts as they are once it is committed. */
export function recordFacts(
  batch: FactBatch,
  documents: OpenDocuments,
  context: RecordContext,
): CachedHost[] {
  const changed: CachedHost[] = [];
  for (const hostId of new Set([...batch.statuses.keys(), ...batch.models.keys()])) {
    const host = context.cache.get(hostId);
    // Removed meanwhile: what its connector still says is of no use.
    if (!host) continue;
    const status = batch.statuses.get(hostId);
    const models = batch.models.get(hostId);
    if (status) recordStatus({ ...host, models: models ?? host.models }, status, documents, context);
    if (models) recordModels(host, models, documents, context);
    changed.push({ config: host.config, status: status ?? host.status, models: models ?? host.models });
  }
  recordRows(batch, documents, context);
  return changed;
}

function recordStatus(
  host: CachedHost,
  status: HostStatus,
  { fleet }: OpenDocuments,
  { store, now }: RecordContext,
): void {
  store.fleet.setStatus(host.config.id, status);
  const key = fleetKey.host(host.config.id);
  const entry = hostEntry(host.config, status, now, host.models);
  const shown = parseFleetEntry(key, fleet.get(key));
  if (shown.type !== 'host' || !sameHost(shown.value, entry)) fleet.set(key, entry);
}

function recordModels(
  host: CachedHost,
  models: readonly Model[],
  { fleet }: OpenDocuments,
  { store }: RecordContext,
): void {
  const hostId = host.config.id;
  const known = new Map(host.models.map((model) => [model.modelId, model]));
  const changed = models.flatMap((model, position) => {
    const before = known.get(model.modelId);
    return before && sameModel(before, model) ? [] : [{ model, position }];
  });
  const current = new Set(models.map(({ modelId }) => modelId));
  const gone = [...known.keys()].filter((modelId) => !current.has(modelId));
  store.fleet.putModels(hostId, changed);
  store.fleet.deleteModels(hostId, gone);
  if (changed.length === 0 && gone.length === 0) return;

  const before = new Map(modelsForDocument(host.models).map((model) => [model.modelId, model]));
  const after = new Map(modelsForDocument(models).map((model) => [model.modelId, model]));
  for (const modelId of before.keys()) if (!after.has(modelId)) fleet.delete(fleetKey.model(hostId, modelId));
  for (const [modelId, model] of after) {
    const shown = before.get(modelId);
    if (!shown || !sameModel(shown, model)) fleet.set(fleetKey.model(hostId, modelId), modelEntry(model));
  }
  recordCount(hostId, models, fleet);
}

/** Says in the host's entry, which is otherwise left as it is, whether the document holds all of its models. */
function recordCount(hostId: string, models: readonly Model[], fleet: OpenDocuments['fleet']): void {
  const key = fleetKey.host(hostId);
  const shown = parseFleetEntry(key, fleet.get(key));
  if (shown.type !== 'host') return;
  const { modelCount: _before, ...rest } = shown.value;
  const entry = { ...rest, ...leftOut(models) };
  if (!sameHost(shown.value, entry)) fleet.set(key, entry);
}

function recordRows(batch: FactBatch, { tail }: OpenDocuments, { store, cache, now }: RecordContext): void {
  const known = (row: ActivityRow | ModelEvent): boolean => cache.get(row.hostId) !== null;
  const hour = hourOf(now);
  const ofHosts = batch.activity.filter(({ row }) => known(row));
  const backfill = store.activity.insert(
    ofHosts.flatMap(({ row, backfill }) => (backfill ? [row] : [])),
    now,
  );
  if (backfill) store.segments.place('activity', { ...backfill, hour }, 'waiting');
  const activity = store.activity.insert(
    ofHosts.flatMap(({ row, backfill }) => (backfill ? [] : [row])),
    now,
  );
  const events = store.modelEvents.insert(batch.events.filter(known), now);
  const rows: TailRow[] = [...(activity?.rows ?? []), ...(events?.rows ?? [])];
  if (rows.length === 0) return;
  // A tail that seals cannot keep up with is not let grow: what does not fit is sealed without passing through it.
  const fits = tailSize(tail).bytes + tailBytesEstimate(rows) <= TAIL_MAX_BYTES;
  const place = (kind: HistoryKind, inserted: { fromSeq: number; toSeq: number } | null): void => {
    if (inserted) store.segments.place(kind, { ...inserted, hour }, fits ? 'tail' : 'waiting');
  };
  place('activity', activity);
  place('model-events', events);
  if (fits) appendTail(tail, rows);
}
