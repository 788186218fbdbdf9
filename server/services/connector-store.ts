import type { ConnectorStore } from '../domain/ports.ts';
import type { Store } from '../domain/store-ports.ts';
import type { FleetCache } from './fleet-cache.ts';
import type { Recorder } from './recorder.ts';

/** What connectors read back: rows from SQLite, models and status as last recorded. */
export function createConnectorStore(options: {
  readonly recorder: Recorder;
  readonly store: Store;
  readonly cache: FleetCache;
}): ConnectorStore {
  const { recorder, store, cache } = options;
  return {
    activityCursor(hostId) {
      // What waits is part of what we hold; a connector that asks again must not fetch it a second time.
      recorder.flushRows();
      return store.activity.cursor(hostId);
    },
    models: (hostId) => cache.get(hostId)?.models ?? [],
    hostStatus: (hostId) => cache.get(hostId)?.status ?? null,
  };
}
