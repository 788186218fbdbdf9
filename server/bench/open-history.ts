import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ActivityRequest } from '#shared/schemas/activity.ts';
import { type SqliteStore, openStore } from '../adapters/sqlite/open-store.ts';
import { SqliteSegmentBuilder } from '../adapters/sqlite/segment-builder.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { Clock } from '../domain/ports.ts';
import { type History, createHistory } from '../services/history.ts';
import { hostConfig } from '../testing/host-config.ts';
import { modelRow, statusRow } from '../testing/model-rows.ts';
import { errorLog } from './error-log.ts';

/** Everything that keeps history, in this process, on a real database with its real thread. */
export interface OpenHistory extends History {
  readonly store: SqliteStore;
  /** Registers paused hosts `host-0`… with four models each, unless they are known. */
  addHosts(count: number, models?: number): void;
  /** Gives rows to the recorder; with `flush`, commits what waits at once instead of at its next turn. */
  record(rows: readonly ActivityRequest[], flush: boolean): void;
  close(): Promise<void>;
}

/** How a history is opened. */
export interface OpenOptions {
  readonly clock?: Clock;
  /** False where only bytes are counted: commits then do not wait for the disk. */
  readonly durable: boolean;
}

/** Opens or creates the history of a data folder. */
export function openHistory(dataDir: string, { clock = systemClock, durable }: OpenOptions): OpenHistory {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, 'drover.db');
  const store = openStore(path, { now: clock.now() });
  if (!durable) store.connection.pragma('synchronous = OFF');
  const builder = new SqliteSegmentBuilder(path);
  const history = createHistory({
    store,
    builder,
    clock,
    log: errorLog,
    live: { inFlight: () => undefined, seen: () => undefined, performance: () => undefined },
    days: { activity: 365, 'model-events': 365, 'perf-5m': 90 },
    perfRawHours: 48,
  });
  history.start();
  return {
    ...history,
    store,
    addHosts(count, models = 4) {
      for (let index = 0; index < count; index += 1) {
        const id = `host-${index}`;
        if (history.registry.host(id)) continue;
        history.registry.insertHost(hostConfig(id, { paused: true }), clock.now());
        history.recorder.hostStatus(id, statusRow({ since: clock.now(), lastSeenAt: clock.now() }));
        history.recorder.models(id, modelsOf(id, models, clock.now()));
      }
      history.recorder.flush();
    },
    record(rows, flush) {
      for (const row of rows) history.recorder.activity(row.hostId, [row]);
      if (flush) history.recorder.flushRows();
    },
    async close() {
      await history.stop();
      await builder.stop();
      store.close();
    },
  };
}

function modelsOf(hostId: string, count: number, at: number) {
  return Array.from({ length: count }, (_, index) =>
    modelRow({
      hostId,
      modelId: `qwen3-coder-30b-a3b-q${index}`,
      state: index === 0 ? 'ready' : 'stopped',
      since: at,
      observedAt: at,
    }),
  );
}
