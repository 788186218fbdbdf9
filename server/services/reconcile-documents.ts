import { PROTOCOL_VERSION } from '#shared/protocol-version.ts';
import type { FleetMeta } from '#shared/schemas/fleet.ts';
import { fleetKey, modelEntry } from '#sync/fleet-record.ts';
import type { FleetEntries } from '#sync/fleet-doc.ts';
import { appendTail, readTail } from '#sync/tail-codec.ts';
import type { TailRow } from '#sync/tail-codec.ts';
import { hostEntry, modelsForDocument, statusAfterRestart } from '../domain/fleet-projection.ts';
import { LEDGER_ENDED } from '../domain/intent-ports.ts';
import { leaseEntry } from '../domain/lease-policy.ts';
import type { Store } from '../domain/store-ports.ts';
import { HostedDocument } from './hosted-document.ts';

/** Rows an item of a rebuilt tail holds. */
const REBUILT_ITEM_ROWS = 250;

/** Makes the fleet document say what the rows say. Usually that is nothing but hosts that are no longer connected. */
export function reconcileFleet(
  fleet: FleetEntries,
  document: HostedDocument,
  store: Store,
  now: number,
): void {
  const expected = expectedFleet(document, store, now);
  for (const key of fleet.keys()) if (!expected.has(key)) fleet.delete(key);
  for (const [key, value] of expected) fleet.set(key, value);
}

function expectedFleet(document: HostedDocument, store: Store, now: number): Map<string, unknown> {
  const meta: FleetMeta = {
    protocol: PROTOCOL_VERSION,
    generation: document.generation,
    createdAt: document.createdAt,
  };
  const expected = new Map<string, unknown>([[fleetKey.meta, meta]]);
  for (const { config, status } of store.fleet.hosts()) {
    const models = store.fleet.models(config.id);
    expected.set(fleetKey.host(config.id), hostEntry(config, statusAfterRestart(status, now), now, models));
    for (const model of modelsForDocument(models)) {
      expected.set(fleetKey.model(config.id, model.modelId), modelEntry(model));
    }
  }
  for (const id of store.intents.ledgerIds(LEDGER_ENDED)) {
    const intent = store.intents.get(id);
    if (intent) expected.set(fleetKey.ledger(id), intent.view);
  }
  for (const lease of store.intents.heldLeases()) {
    expected.set(fleetKey.lease(lease.hostId), leaseEntry(lease));
  }
  for (const { entry } of store.segments.list()) expected.set(fleetKey.segment(entry.kind, entry.key), entry);
  return expected;
}

/** The tail as loaded when it holds exactly the rows it should; else a new generation, built from the rows. */
export function reconcileTail(document: HostedDocument, store: Store, now: number): HostedDocument {
  const rows: readonly TailRow[] = [
    ...store.activity.read(store.segments.openRanges('activity', 'tail')),
    ...store.modelEvents.read(store.segments.openRanges('model-events', 'tail')),
  ];
  const held = readTail(document.doc);
  if (held.skipped === 0 && sameIdentities(held.rows, rows)) return document;
  const fresh = held.rows.length === 0 && held.skipped === 0;
  const rebuilt = fresh
    ? document
    : HostedDocument.create('tail', { generation: document.generation + 1, now }, store);
  rebuilt.doc.transact(() => {
    for (let start = 0; start < rows.length; start += REBUILT_ITEM_ROWS) {
      appendTail(rebuilt.doc, rows.slice(start, start + REBUILT_ITEM_ROWS));
    }
  });
  return rebuilt;
}

function sameIdentities(a: readonly TailRow[], b: readonly TailRow[]): boolean {
  if (a.length !== b.length) return false;
  const ofB = b.map(identity).sort();
  return a
    .map(identity)
    .sort()
    .every((text, index) => text === ofB[index]);
}

/** What makes a row that row; the tail rounds and shortens other fields. */
function identity(row: TailRow): string {
  switch (row.type) {
    case 'request':
      return `r ${row.hostId} ${row.idEpoch} ${row.id}`;
    case 'gap':
      return `g ${row.hostId} ${row.idEpoch} ${row.fromId} ${row.toId} ${row.to}`;
    case 'model-event':
      return `m ${row.hostId} ${row.at} ${row.from} ${row.to} ${row.modelId}`;
  }
}
