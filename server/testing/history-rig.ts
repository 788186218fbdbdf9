import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { InFlight } from '#shared/schemas/in-flight.ts';
import type { LivePerformance } from '#shared/schemas/performance.ts';
import { Connection } from '../adapters/sqlite/connection.ts';
import { migrate } from '../adapters/sqlite/migrations.ts';
import { storesOn } from '../adapters/sqlite/open-store.ts';
import type { SqliteStore } from '../adapters/sqlite/open-store.ts';
import { buildSegments } from '../adapters/sqlite/segment-build.ts';
import type { Clock } from '../domain/ports.ts';
import type { BuildRequest, BuiltSegment, HistoryKind } from '../domain/store-ports.ts';
import { createHistory } from '../services/history.ts';
import type { History } from '../services/history.ts';
import { ManualClock } from './manual-clock.ts';
import { silentLog } from './silent-log.ts';
import type { KeptLog } from './silent-log.ts';
import { temporaryDirectory } from './temporary-store.ts';

/** Everything that keeps history, on a real database, as `main.ts` puts it together. */
export interface HistoryRig extends History {
  readonly clock: ManualClock;
  readonly store: SqliteStore;
  readonly log: KeptLog;
  readonly live: {
    readonly inFlight: [string, InFlight | null][];
    readonly seen: [string, number][];
    readonly performance: LivePerformance[];
  };
  /** Records rows of one host and commits them. */
  record(rows: readonly ActivityRow[]): void;
}

/** What a rig may be given; left out: an empty database, no sealing by itself. */
export interface HistoryRigOptions {
  readonly path?: string;
  readonly clock?: ManualClock;
  readonly connection?: Connection;
  readonly days?: Readonly<Record<HistoryKind, number>>;
  readonly maxSegments?: number;
  readonly perfRawHours?: number;
  readonly build?: (request: BuildRequest) => Promise<readonly BuiltSegment[]>;
}

/** Puts the rig together; documents and recorder are started, the sealer is not. */
export function historyRig(options: HistoryRigOptions = {}): HistoryRig {
  const path = options.path ?? options.connection?.path ?? join(temporaryDirectory(), 'drover.db');
  const clock = options.clock ?? new ManualClock();
  const connection = options.connection ?? new Connection(path);
  migrate(connection, clock.now());
  const store = storesOn(connection);
  const reader = new Connection(path, { readonly: true });
  onTestFinished(() => {
    reader.close();
    store.close();
  });
  return { ...composeRig({ ...options, store, reader, clock }), clock };
}

function composeRig(
  parts: HistoryRigOptions & {
    readonly store: SqliteStore;
    readonly reader: Connection;
    readonly clock: Clock;
  },
): Omit<HistoryRig, 'clock'> {
  const { store, reader, clock } = parts;
  const log = silentLog();
  const live: HistoryRig['live'] = { inFlight: [], seen: [], performance: [] };
  const history = createHistory({
    store,
    clock,
    log,
    days: parts.days ?? { activity: 365, 'model-events': 365, 'perf-5m': 90 },
    perfRawHours: parts.perfRawHours ?? 48,
    ...(parts.maxSegments === undefined ? {} : { maxSegments: parts.maxSegments }),
    builder: { build: parts.build ?? (async (request) => buildSegments(reader, request)) },
    live: {
      inFlight: (hostId, inFlight) => void live.inFlight.push([hostId, inFlight]),
      seen: (hostId, at) => void live.seen.push([hostId, at]),
      performance: (_hostId, value) => void live.performance.push(value),
    },
  });
  history.docHost.start();
  history.recorder.start();
  return {
    ...history,
    store,
    log,
    live,
    record(rows) {
      for (const row of rows) history.recorder.activity(row.hostId, [row]);
      history.recorder.flushRows();
    },
  };
}
