import { setImmediate, setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { ActivityRequest } from '#shared/schemas/activity.ts';
import { CLI_ACTOR } from '../domain/audit-log.ts';
import { retention } from '../domain/drover-yaml.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { buildApp } from '../app.ts';
import { mountSync } from '../routes/sync.ts';
import { AuthService } from '../services/auth-service.ts';
import { SyncServer } from '../services/sync-server.ts';
import { StopStack } from '../stop-stack.ts';
import { modelRow } from '../testing/model-rows.ts';
import { hostConfig } from '../testing/host-config.ts';
import { errorLog } from './error-log.ts';
import { openTruth } from '../truth.ts';
import { answerParent } from './child.ts';
import { ProcessMeter } from './process-meter.ts';
import { syntheticTraffic } from './synthetic-traffic.ts';

/**
 * Run as a process: the collector as `composition.ts` makes it, over its own data folder, with rows from the generator
 * in place of connectors. What is measured here is recording, publishing and serving sockets.
 */
const HOSTS = 10;
const TICK_MS = 10;

const dataDir = z.string().parse(process.argv[2]);
const log = errorLog;
const clock = systemClock;
const truth = openTruth({
  config: { dataDir, retention: retention.parse({}) },
  clock,
  log,
  stops: new StopStack(log),
});
const { docHost, recorder, live, sealer, store, hostStore } = truth;
const auth = new AuthService({ database: store, clock, log });
const sync = new SyncServer({ documents: docHost, authenticator: auth, live, clock, log });
const app = await buildApp({
  authenticator: auth,
  clock,
  log,
  publicUrl: null,
  trustProxy: false,
  tls: null,
  clientDir: dataDir,
  mountRoutes: (guarded) => mountSync(guarded, { sync }),
});
sync.start();
for (let index = 0; index < HOSTS; index += 1) hostStore.insertHost(hostConfig(`host-${index}`), clock.now());
const address = await app.listen({ host: '127.0.0.1', port: 0 });
const { key } = auth.createKey({ label: 'bench', role: 'viewer' }, CLI_ACTOR);

const meter = new ProcessMeter();
const traffic = syntheticTraffic({ hosts: HOSTS, rows: Number.MAX_SAFE_INTEGER, from: 0, to: 0 });
let offered = 0;

const question = z.discriminatedUnion('type', [
  z.object({ type: z.literal('where') }),
  z.object({ type: z.literal('steady'), rowsPerSecond: z.number(), durationMs: z.number() }),
  z.object({ type: z.literal('saturate'), rowsPerFlush: z.number(), durationMs: z.number() }),
  z.object({ type: z.literal('churn'), models: z.number(), durationMs: z.number() }),
  z.object({ type: z.literal('totals') }),
]);

answerParent(async (message) => {
  const asked = question.parse(message);
  switch (asked.type) {
    case 'where':
      return { url: address, key, ...docHost.names() };
    case 'steady':
      return steady(asked.rowsPerSecond, asked.durationMs);
    case 'saturate':
      return saturate(asked.rowsPerFlush, asked.durationMs);
    case 'churn':
      return churn(asked.models, asked.durationMs);
    case 'totals':
      return totals();
  }
});

/** Rows of now, as if a connector had just read them. */
function give(count: number): void {
  for (let index = 0; index < count; index += 1) {
    const { value } = traffic.next();
    if (!value) throw new Error('the generator does not end');
    const row: ActivityRequest = { ...value, endedAt: Date.now() };
    recorder.activity(row.hostId, [row]);
  }
  offered += count;
}

/** Offers rows at a rate, as a timer does: what a late tick missed comes with the next. */
async function steady(rowsPerSecond: number, durationMs: number) {
  meter.reset();
  const began = performance.now();
  let given = 0;
  for (let elapsed = 0; elapsed < durationMs; elapsed = performance.now() - began) {
    const due = Math.floor((Math.min(elapsed, durationMs) * rowsPerSecond) / 1000) - given;
    give(due);
    given += due;
    await setTimeout(TICK_MS);
  }
  return { rows: given, elapsedMs: performance.now() - began, ...meter.read() };
}

/** Commits as fast as it goes, `rowsPerFlush` at a time, serving sockets and seals in between. */
async function saturate(rowsPerFlush: number, durationMs: number) {
  meter.reset();
  const began = performance.now();
  let given = 0;
  while (performance.now() - began < durationMs) {
    give(rowsPerFlush);
    given += rowsPerFlush;
    recorder.flushRows();
    await setImmediate();
  }
  return { rows: given, elapsedMs: performance.now() - began, ...meter.read() };
}

/** Changes every model of a host four times a second: the largest updates a fleet document can have. */
async function churn(models: number, durationMs: number) {
  meter.reset();
  let largestBacklog = 0;
  const began = performance.now();
  for (let round = 0; performance.now() - began < durationMs; round += 1) {
    const at = Date.now();
    recorder.models(
      'host-0',
      Array.from({ length: models }, (_, index) =>
        modelRow({
          hostId: 'host-0',
          modelId: `qwen3-coder-30b-a3b-instruct-q${index}`,
          state: round % 2 ? 'ready' : 'stopped',
          since: at,
          observedAt: at,
        }),
      ),
    );
    for (let index = 0; index < HOSTS; index += 1) live.seen(`host-${index}`, at);
    largestBacklog = Math.max(largestBacklog, sync.gauges().bufferedBytes);
    await setTimeout(100);
  }
  const { shedFrames, ends } = sync.gauges();
  return { largestBacklog, shedFrames, ends, ...meter.read() };
}

/** What was given, and what SQLite, the manifest and the tail hold, once nothing waits. */
async function totals() {
  recorder.flushRows();
  do {
    await setTimeout(100);
    await sealer.settled();
  } while (store.segments.openRanges('activity', 'waiting').length > 0);
  const everything = { fromSeq: 0, toSeq: Number.MAX_SAFE_INTEGER, hour: 0 };
  const sealed = store.segments.list('activity').reduce((sum, { entry }) => sum + entry.rows, 0);
  const inTail = store.activity.count(store.segments.openRanges('activity', 'tail'));
  return { offered, stored: store.activity.count([everything]), sealed, inTail };
}
