import type { AccessStore } from '../../domain/access-ports.ts';
import type { AuditLog } from '../../domain/audit-log.ts';
import type { SettingStore } from '../../domain/host-ports.ts';
import type { SegmentReader } from '../../domain/ports.ts';
import type { Store } from '../../domain/store-ports.ts';
import { createAccessStore } from './access-store.ts';
import { createActivityStore } from './activity-store.ts';
import { createAuditLog } from './audit-log.ts';
import { createCaptureStore } from './capture-store.ts';
import { Connection } from './connection.ts';
import { createDocumentStore } from './document-store.ts';
import { createFleetStore } from './fleet-store.ts';
import { createIntentStore } from './intent-store.ts';
import { createLogChunkStore } from './log-chunk-store.ts';
import { migrate } from './migrations.ts';
import { createModelEventStore } from './model-event-store.ts';
import { createOutboxStore } from './outbox-store.ts';
import { createPerformanceStore } from './performance-store.ts';
import { createRollupStore } from './rollup-store.ts';
import { createSegmentStore } from './segment-store.ts';
import { createSettingStore } from './setting-store.ts';
import { asStoreError } from './sqlite-failure.ts';

/** Size of the write that proves a recovered disk takes more than a byte. */
const PROBE_BYTES = 64 * 1024;

/** Every store of one database, and the way to close it. */
export interface SqliteStore extends Store {
  readonly access: AccessStore;
  readonly audit: AuditLog;
  readonly settings: SettingStore;
  readonly segmentReader: SegmentReader;
  readonly connection: Connection;
  close(): void;
}

/** Opens `drover.db`, brings its schema up to date and returns its stores; throws `SchemaError` or `StoreError`. */
export function openStore(path: string, options: { readonly now: number }): SqliteStore {
  const connection = connect(path);
  try {
    migrate(connection, options.now);
    return storesOn(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
}

function connect(path: string): Connection {
  try {
    return new Connection(path);
  } catch (error) {
    throw asStoreError(error);
  }
}

/** The stores of a connection whose schema is up to date. */
export function storesOn(connection: Connection): SqliteStore {
  const settings = createSettingStore(connection);
  const segments = createSegmentStore(connection);
  return {
    connection,
    settings,
    access: createAccessStore(connection),
    audit: createAuditLog(connection),
    fleet: createFleetStore(connection),
    intents: createIntentStore(connection),
    outboxes: createOutboxStore(connection),
    activity: createActivityStore(connection),
    captures: createCaptureStore(connection),
    modelEvents: createModelEventStore(connection),
    logChunks: createLogChunkStore(connection),
    performance: createPerformanceStore(connection),
    rollups: createRollupStore(connection),
    documents: createDocumentStore(connection),
    segments,
    segmentReader: { segment: (hash) => segments.blob(hash) },
    transact: (work) => connection.transact(work),
    recover() {
      connection.reopen();
      settings.setSetting('store.probe', 'x'.repeat(PROBE_BYTES));
      settings.setSetting('store.probe', null);
    },
    close: () => connection.close(),
  };
}
