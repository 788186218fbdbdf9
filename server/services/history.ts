import type { HostStore } from '../domain/host-ports.ts';
import type { Clock, ConnectorStore, HealthSource, Log, StoreFiles } from '../domain/ports.ts';
import type { HistoryKind, SegmentBuilder, Store } from '../domain/store-ports.ts';
import { createConnectorStore } from './connector-store.ts';
import { DocHost } from './doc-host.ts';
import { FleetCache } from './fleet-cache.ts';
import { createHostRegistry } from './host-registry.ts';
import { PerformanceRecorder, type PerformanceRecorderOptions } from './performance-recorder.ts';
import { PerformanceUpkeep } from './performance-upkeep.ts';
import { Recorder } from './recorder.ts';
import type { LiveTopics } from './recorder.ts';
import { Retention } from './retention.ts';
import { Sealer } from './sealer.ts';

/** What the history is made of. */
export interface HistoryOptions {
  readonly store: Store;
  readonly builder: SegmentBuilder;
  readonly live: LiveTopics & PerformanceRecorderOptions['live'];
  readonly clock: Clock;
  readonly log: Log;
  readonly files?: StoreFiles;
  /** Days that rows and their segments are kept. */
  readonly days: Readonly<Record<HistoryKind, number>>;
  /** Hours that raw performance samples are kept. */
  readonly perfRawHours: number;
  /** Segments the manifest lists at most. */
  readonly maxSegments?: number;
}

/** Everything that keeps what connectors learn, put together. */
export interface History {
  readonly docHost: DocHost;
  readonly cache: FleetCache;
  readonly recorder: Recorder;
  readonly registry: HostStore;
  readonly connectors: ConnectorStore;
  readonly sealer: Sealer;
  readonly performance: PerformanceRecorder;
  readonly upkeep: PerformanceUpkeep;
  readonly health: readonly HealthSource[];
  /** Loads the documents and the fleet, then begins to seal. */
  start(): void;
  /** Commits what waits and ends; the store may be closed after it. */
  stop(): Promise<void>;
}

/** Puts document host, recorder, registry and sealer together over one store. */
export function createHistory(options: HistoryOptions): History {
  const { store, builder, live, clock, log, days, perfRawHours, maxSegments } = options;
  const docHost = new DocHost({ store, clock, log, ...(options.files && { files: options.files }) });
  const cache = new FleetCache(clock);
  const retention = new Retention({
    docHost,
    store,
    clock,
    days,
    ...(maxSegments === undefined ? {} : { maxSegments }),
  });
  const sealer = new Sealer({ docHost, store, builder, retention, clock, log });
  const onCommitted = (): void => sealer.noticeCommit();
  const recorder = new Recorder({ docHost, store, cache, live, clock, log, onCommitted });
  const performance = new PerformanceRecorder({ docHost, store, hosts: cache, live, clock, log });
  const upkeep = new PerformanceUpkeep({
    docHost,
    store,
    clock,
    log,
    rawHours: perfRawHours,
    onRolledUp: onCommitted,
  });
  return {
    docHost,
    cache,
    recorder,
    registry: createHostRegistry({
      docHost,
      store,
      cache,
      recorder: {
        flushRows: () => recorder.flushRows(),
        forget(hostId) {
          recorder.forget(hostId);
          performance.forget(hostId);
        },
      },
      clock,
      onPurged: () => sealer.noticePurge(),
    }),
    connectors: createConnectorStore({ recorder, store, cache }),
    sealer,
    performance,
    upkeep,
    health: [docHost, sealer, upkeep],
    start() {
      docHost.start();
      recorder.start();
      performance.start();
      sealer.start();
      upkeep.start();
    },
    async stop() {
      recorder.stop();
      performance.stop();
      await upkeep.stop();
      await sealer.stop();
      docHost.stop();
    },
  };
}
