import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SecretsFile } from './adapters/secrets-file.ts';
import { SqliteHistoryQuery } from './adapters/sqlite/history-query.ts';
import { lockDataDir } from './adapters/sqlite/lock.ts';
import { openStore, type SqliteStore } from './adapters/sqlite/open-store.ts';
import { SqliteSegmentBuilder } from './adapters/sqlite/segment-builder.ts';
import type { Config } from './config.ts';
import type { HostStore, SecretStore } from './domain/host-ports.ts';
import type { Clock, ConnectorStore, HistoryQuery, Log } from './domain/ports.ts';
import { createConnectorStore } from './services/connector-store.ts';
import { DocHost } from './services/doc-host.ts';
import { FleetCache } from './services/fleet-cache.ts';
import { createHostRegistry } from './services/host-registry.ts';
import { LiveHub } from './services/live-hub.ts';
import { Recorder } from './services/recorder.ts';
import { Retention } from './services/retention.ts';
import { Sealer } from './services/sealer.ts';
import type { StopStack } from './stop-stack.ts';

/** Everything that stands on the data directory: the store, the documents, what writes them and what reads them. */
export interface Truth {
  readonly store: SqliteStore;
  readonly secrets: SecretStore;
  readonly docHost: DocHost;
  readonly cache: FleetCache;
  readonly live: LiveHub;
  readonly recorder: Recorder;
  readonly sealer: Sealer;
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
  const builder = new SqliteSegmentBuilder(databasePath);
  stops.add('segment builder', () => builder.stop());

  const docHost = new DocHost({ store, clock, log });
  docHost.start();
  stops.add('documents', () => docHost.stop());

  const days = { activity: config.retention.activityDays, 'model-events': config.retention.modelEventDays };
  const retention = new Retention({ docHost, store, clock, days });
  const sealer = new Sealer({ docHost, store, builder, retention, clock, log });
  const cache = new FleetCache(clock);
  const live = new LiveHub({ clock });
  const recorder = new Recorder({
    docHost,
    store,
    cache,
    live,
    clock,
    log,
    onCommitted: () => sealer.noticeCommit(),
  });
  recorder.start();
  sealer.start();
  stops.add('sealer', () => sealer.stop());
  stops.add('recorder', () => recorder.stop());

  return {
    store,
    secrets,
    docHost,
    cache,
    live,
    recorder,
    sealer,
    history,
    hostStore: createHostRegistry({ docHost, store, cache, recorder, clock }),
    connectorStore: createConnectorStore({ recorder, store, cache }),
  };
}
