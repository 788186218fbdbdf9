import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import type { ActivityPage, ActivityQuery } from '#shared/schemas/activity.ts';
import type { Role } from '#shared/schemas/auth.ts';
import type { HostTestResult } from '#shared/schemas/host-input.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import type { Model } from '#shared/schemas/model.ts';
import { must } from '#shared/lib/assert.ts';
import { ThreadOutboxJudge } from '../adapters/outbox/outbox-judge.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { buildApp } from '../app.ts';
import { createCaptures } from '../captures.ts';
import { captureSettings, retention } from '../domain/drover-yaml.ts';
import { mountApi } from '../routes/mount-api.ts';
import { AuthService } from '../services/auth-service.ts';
import { DemoService } from '../services/demo-service.ts';
import { DeviceService } from '../services/device-service.ts';
import { FirstRunService } from '../services/first-run.ts';
import { HealthService } from '../services/health-service.ts';
import { FleetWatch } from '../services/fleet-watch.ts';
import { HostService } from '../services/host-service.ts';
import { createIntents } from '../services/intents.ts';
import { LogArchive } from '../services/log-archive.ts';
import { LogHub } from '../services/log-hub.ts';
import { OutboxService } from '../services/outbox-service.ts';
import { PairingService } from '../services/pairing-service.ts';
import { StopStack } from '../stop-stack.ts';
import { openTruth, type Truth } from '../truth.ts';
import { FakeControl } from './fake-control.ts';
import { ManualClock } from './manual-clock.ts';
import { silentLog, type KeptLog } from './silent-log.ts';
import { temporaryDirectory } from './temporary-store.ts';

/** Opens the health of the test app, as for `drover doctor`. */
export const DOCTOR_KEY = 'a-key-for-the-doctor';

/** What a test may set or look at: the ports that reach outside, and what no test should have to wait for. */
export interface TestWorld {
  checks: HealthCheck[];
  /** Shown instead of what the fleet knows. */
  models: Model[] | null;
  /** Answers instead of the history thread. */
  activity: ((query: ActivityQuery) => Promise<ActivityPage>) | null;
  /** Served besides what is sealed. */
  readonly segments: Map<string, Uint8Array>;
  /** Answer of the host test, and what it was asked. */
  testResult: HostTestResult;
  readonly tested: { readonly url: string; readonly key: string | null }[];
  demoRunning: boolean;
}

/** The whole HTTP side over a real store in a temporary directory, closed when the test ends. */
export interface TestApp {
  readonly app: FastifyInstance;
  readonly auth: AuthService;
  readonly pairing: PairingService;
  readonly hosts: HostService;
  readonly demo: DemoService;
  readonly truth: Truth;
  /** What connectors tell, for tests that say it in their place. */
  readonly watch: FleetWatch;
  readonly clock: ManualClock;
  readonly log: KeptLog;
  readonly world: TestWorld;
  /** Pairs a device with this role; returns the `cookie` header. */
  readonly signIn: (role: Role) => Promise<string>;
}

/** Settings of the app that tests vary. */
export interface TestAppOptions {
  readonly publicUrl?: string;
  readonly trustProxy?: boolean;
  readonly clientDir?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Builds the app; nothing listens and no host is connected. */
export async function buildTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const clock = new ManualClock();
  const log = silentLog();
  const publicUrl = options.publicUrl ?? null;
  const stops = new StopStack(log);
  const config = { dataDir: temporaryDirectory(), retention: retention.parse({}) };
  const truth = openTruth({ config, clock, log, stops });
  onTestFinished(() => stops.unwind());
  const world: TestWorld = {
    checks: [{ name: 'store', state: 'ok', detail: 'commits', remediation: null }],
    models: null,
    activity: null,
    segments: new Map(),
    testResult: { verdict: 'ok', detail: 'This is a llama-swap.', version: 'v235' },
    tested: [],
    demoRunning: false,
  };
  const tester = {
    test: (target: { readonly url: string; readonly key: string | null }) => {
      world.tested.push(target);
      return Promise.resolve(world.testResult);
    },
  };
  const access = { database: truth.store, clock, log };
  const auth = new AuthService(access);
  const pairing = new PairingService(access);
  const devices = new DeviceService({ ...access, auth });
  const hosts = new HostService({
    store: truth.hostStore,
    secrets: truth.secrets,
    fleet: truth.cache,
    tester,
    audit: truth.store.audit,
    env: options.env ?? {},
    own: () => ({ port: 9503, names: new Set(['localhost', '127.0.0.1', '::1', 'box.lan']), publicUrl }),
    clock,
    log,
  });
  const watch = new FleetWatch({
    sink: truth.recorder,
    cache: truth.cache,
    history: truth.store.activity,
    clock,
  });
  const intents = createIntents({
    docHost: truth.docHost,
    store: truth.store,
    watch,
    hosts,
    controlFor: () => new FakeControl(),
    lookAgain: () => undefined,
    clock,
    log,
  });
  intents.start();
  stops.add('intents', () => intents.stop());
  const archive = new LogArchive({
    hub: new LogHub({ clock, secretsOf: () => [] }),
    store: truth.store.logChunks,
    transact: (work) => truth.store.transact(work),
    budgetBytes: 0,
    clock,
    log,
  });
  const captures = createCaptures({
    config: { captures: captureSettings.parse({}) },
    truth,
    watch,
    hosts,
    clock: systemClock,
    log,
    stops,
  });
  const judge = new ThreadOutboxJudge();
  stops.add('outbox thread', () => judge.stop());
  const outboxes = new OutboxService({
    store: truth.store,
    audit: truth.store.audit,
    judge,
    intents: intents.service,
    authenticator: auth,
    clock,
    log,
  });
  const demoFleet = {
    start: () => {
      world.demoRunning = true;
      return Promise.resolve(
        ['attic', 'garage'].map((name, index) => ({
          id: `demo-${name}`,
          label: `Demo ${name}`,
          url: `http://127.0.0.1:${9100 + index}`,
        })),
      );
    },
    stop: () => {
      world.demoRunning = false;
      return Promise.resolve();
    },
  };
  const demo = new DemoService({ fleet: demoFleet, hosts, settings: truth.store.settings, log });
  const app = await buildApp({
    authenticator: auth,
    clock,
    log,
    publicUrl,
    trustProxy: options.trustProxy ?? false,
    tls: null,
    clientDir: options.clientDir ?? join(import.meta.dirname, 'no-client'),
    mountRoutes: (instance) => {
      mountApi(instance, {
        auth,
        pairing,
        devices,
        lanUrl: () => null,
        hosts,
        intents: intents.service,
        demo,
        publicUrl,
        version: '0.0.0-test',
        instance: 'test-instance',
        clock,
        capabilities: [],
        fleet: { hosts: () => truth.cache.hosts(), models: (id) => world.models ?? truth.cache.models(id) },
        health: new HealthService([{ health: () => world.checks }, hosts], clock),
        doctorKey: DOCTOR_KEY,
        history: {
          activity: (query) => (world.activity ?? ((q) => truth.history.activity(q)))(query),
          summary: (query) => truth.history.summary(query),
        },
        segments: { segment: (hash) => world.segments.get(hash) ?? truth.store.segments.blob(hash) },
        firstRun: new FirstRunService(tester, hosts, () => ({
          port: 9503,
          publicUrl,
          lanUrl: null,
        })),
        captures,
        keptLogs: archive,
        performance: truth.performanceQueries,
        documents: truth.docHost,
        outboxes,
      });
    },
  });
  stops.add('http', () => app.close());
  return {
    app,
    auth,
    pairing,
    hosts,
    demo,
    truth,
    watch,
    clock,
    log,
    world,
    signIn: async (role) => {
      const { code } = pairing.issueCode(role);
      const reply = await app.inject({
        method: 'POST',
        url: '/api/pair',
        payload: { code, label: `a ${role}` },
      });
      const cookie = must(reply.cookies[0], 'session cookie');
      return `${cookie.name}=${cookie.value}`;
    },
  };
}
