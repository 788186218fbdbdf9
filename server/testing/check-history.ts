import { expect } from 'vitest';
import * as Y from 'yjs';
import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { ModelEvent } from '#shared/schemas/model.ts';
import type { PerformanceRow } from '#shared/schemas/performance.ts';
import { readFleet } from '#sync/fleet-doc.ts';
import { parseFleet } from '#sync/fleet-record.ts';
import { decodeSegment } from '#sync/segment-codec.ts';
import { decodeTail } from '#sync/tail-codec.ts';
import type { SqliteStore } from '../adapters/sqlite/open-store.ts';
import type { SeqRange } from '../domain/store-ports.ts';
import type { DocHost } from '../services/doc-host.ts';

const EVERYTHING: readonly SeqRange[] = [{ fromSeq: 0, toSeq: Number.MAX_SAFE_INTEGER, hour: 0 }];

/**
 * What a device that holds the documents and fetches every segment of the manifest sees, as sorted identities; it
 * reads the documents over the wire's bytes, not the server's objects.
 */
export function replicaIdentities(docHost: DocHost, store: SqliteStore): string[] {
  const copyOf = (name: string): Y.Doc => {
    const document = docHost.open(name);
    if (!document) throw new Error(`no document ${name}`);
    const copy = new Y.Doc();
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(document.doc));
    return copy;
  };
  const { fleet, tail } = docHost.names();
  const seen: string[] = decodeTail(copyOf(tail)).map(identityOf);
  const records = parseFleet(readFleet(copyOf(fleet)));
  expect(records.unreadable).toBe(0);
  for (const entry of records.segments.values()) {
    const bytes = store.segments.blob(entry.hash);
    if (!bytes) throw new Error(`no blob of ${entry.key}`);
    expect(bytes.byteLength).toBe(entry.bytes);
    const { rows } = decodeSegment(bytes);
    expect(rows).toHaveLength(entry.rows);
    for (const row of rows) seen.push(identityOf(row));
  }
  return seen.sort();
}

/** Every row in SQLite, as sorted identities. */
export function storedIdentities(store: SqliteStore): string[] {
  const { activity, modelEvents, rollups } = store;
  return [...activity.read(EVERYTHING), ...modelEvents.read(EVERYTHING), ...rollups.read(EVERYTHING)]
    .map(identityOf)
    .sort();
}

/** Rows that wait to be sealed past the tail: they are in no document yet. */
function waitingIdentities({ activity, modelEvents, rollups, segments }: SqliteStore): string[] {
  return [
    ...activity.read(segments.openRanges('activity', 'waiting')),
    ...modelEvents.read(segments.openRanges('model-events', 'waiting')),
    ...rollups.read(segments.openRanges('perf-5m', 'waiting')),
  ].map(identityOf);
}

/** Each row is in exactly one place: in the documents and their segments, or waiting; none is doubled. */
export function expectConsistent(docHost: DocHost, store: SqliteStore): void {
  const stored = storedIdentities(store);
  expect([...replicaIdentities(docHost, store), ...waitingIdentities(store)].sort()).toEqual(stored);
  expect(new Set(stored).size).toBe(stored.length);
}

/** What makes a row that row. */
export function identityOf(row: ActivityRow | ModelEvent | PerformanceRow): string {
  if ('sample' in row) return `sample ${row.hostId} ${row.gpu?.key ?? ''} ${row.sample.at}`;
  if (row.type === 'request') return `request ${row.hostId} ${row.idEpoch} ${row.id}`;
  if (row.type === 'gap') return `gap ${row.hostId} ${row.idEpoch} ${row.fromId} ${row.toId} ${row.to}`;
  return `event ${row.hostId} ${row.modelId} ${row.at} ${row.from} ${row.to}`;
}
