import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SecretsFile } from './adapters/secrets-file.ts';
import { SqliteHistoryQuery } from './adapters/sqlite/history-query.ts';
import { lockDataDir, type DataDirLock } from './adapters/sqlite/lock.ts';
import { openStore, type SqliteStore } from './adapters/sqlite/open-store.ts';
import { SqlitePerformanceQueries } from './adapters/sqlite/performance-queries.ts';
import { SqliteSegmentBuilder } from './adapters/sqlite/segment-builder.ts';
import { storeFiles } from './adapters/sqlite/store-files.ts';
import type { Config } from './config.ts';
import type { HostStore, SecretStore } from './domain/host-ports.ts';
import type { PerformanceQueries } from './domain/performance-ports.ts';
import type { Clock, ConnectorStore, HistoryQuery, Log, StoreFiles } from './domain/ports.ts';
import type { DocHost } from './services/doc-host.ts';
import type { FleetCache } from './services/fleet-cache.ts';
import { createHistory } from './services/history.ts';
import { LiveHub } from './services/live-hub.ts';
import type { PerformanceRecorder } from './services/performance-recorder.ts';
import type { PerformanceUpkeep } from './services/performance-upkeep.ts';
import type { Recorder } from './services/recorder.ts';
import type { Sealer } from './services/sealer.ts';
import type { StopStack } from './stop-stack.ts';

/** Everything that stands on the data directory: the store, the documents, what writes them and what reads them. */
export interface Truth {
  readonly store: SqliteStore;
  readonly lock: DataDirLock;
  readonly files: StoreFiles;
  readonly secrets: SecretStore;
  readonly docHost: DocHost;
  readonly cache: FleetCache;
  readonly live: LiveHub;
  readonly recorder: Recorder;
  readonly sealer: Sealer;
  readonly performance: PerformanceRecorder;
  readonly upkeep: PerformanceUpkeep;
  readonly performanceQueries: PerformanceQueries;
  readonly history: HistoryQuery;
  readonly hostStore: HostStore;
  readonly connectorStore: ConnectorStore;
}

/** What is needed to open it. */
export interface TruthOptions {
  readonly config: Pick<Config, 'dataDir' | 'retention'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly stops: StopStack;
}

/** Locks the data directory, opens the store and starts what writes it; `stops` knows how to end each part. */
export function openTruth({ config, clock, log, stops }: TruthOptions): Truth {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const lock = lockDataDir(join(config.dataDir, 'drover.lock'), clock.now());
  stops.add('lock', () => lock.release());
  const secrets = new SecretsFile(join(config.dataDir, 'secrets.json'));

  const databasePath = join(config.dataDir, 'drover.db');
  const store = openStore(databasePath, { now: clock.now() });
  stops.add('store', () => store.close());
  const history = new SqliteHistoryQuery(databasePath);
  stops.add('history queries', () => history.stop());
  const performanceQueries = new SqlitePerformanceQueries(databasePath, {
    clock,
    rawHours: config.retention.perfRawHours,
  });
  stops.add('performance queries', () => performanceQueries.stop());
  const builder = new SqliteSegmentBuilder(databasePath);
  stops.add('segment builder', () => builder.stop());

  const { activityDays, modelEventDays, perfRollupDays, perfRawHours } = config.retention;
  const days = { activity: activityDays, 'model-events': modelEventDays, 'perf-5m': perfRollupDays };
  const live = new LiveHub({ clock });
  const files = storeFiles(databasePath);
  const kept = createHistory({ store, builder, live, clock, log, files, days, perfRawHours });
  kept.start();
  stops.add('documents', () => kept.stop());

  return {
    store,
    lock,
    files,
    secrets,
    live,
    history,
    docHost: kept.docHost,
    cache: kept.cache,
    recorder: kept.recorder,
    sealer: kept.sealer,
    performance: kept.performance,
    upkeep: kept.upkeep,
    performanceQueries,
    hostStore: kept.registry,
    connectorStore: kept.connectors,
  };
}
