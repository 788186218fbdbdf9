import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import type { ActivityPage, ActivityQuery } from '#shared/schemas/activity.ts';
import type { Role } from '#shared/schemas/auth.ts';
import type { Host, HostTestResult } from '#shared/schemas/host.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import type { Model } from '#shared/schemas/model.ts';
import { must } from '#shared/lib/assert.ts';
import { buildApp } from '../app.ts';
import { mountApi } from '../routes/mount-api.ts';
import { AuthService } from '../services/auth-service.ts';
import { DemoService } from '../services/demo-service.ts';
import { FirstRunService } from '../services/first-run.ts';
import { HealthService } from '../services/health-service.ts';
import { HostService } from '../services/host-service.ts';
import { ManualClock } from './manual-clock.ts';
import { memoryHostStore, type MemoryHostStore } from './memory-host-store.ts';
import { silentLog, type KeptLog } from './silent-log.ts';
import { temporaryStore } from './temporary-store.ts';

/** What a test may set or look at. */
export interface TestWorld {
  hosts: Host[];
  models: Model[];
  checks: HealthCheck[];
  readonly segments: Map<string, Uint8Array>;
  /** Answer of the host test, and what it was asked. */
  testResult: HostTestResult;
  readonly tested: { readonly url: string; readonly key: string | null }[];
  activity: (query: ActivityQuery) => Promise<ActivityPage>;
  demoRunning: boolean;
}

/** An app on fakes of the ports, closed when the test ends. */
export interface TestApp {
  readonly app: FastifyInstance;
  readonly auth: AuthService;
  readonly hosts: HostService;
  readonly demo: DemoService;
  readonly store: MemoryHostStore;
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

/** Builds the whole HTTP side over fakes. */
export async function buildTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const clock = new ManualClock();
  const log = silentLog();
  const store = memoryHostStore();
  const sqlite = temporaryStore();
  const publicUrl = options.publicUrl ?? null;
  const world: TestWorld = {
    hosts: [],
    models: [],
    checks: [{ name: 'store', state: 'ok', detail: 'commits', remediation: null }],
    segments: new Map(),
    testResult: { verdict: 'ok', detail: 'This is a llama-swap.', version: 'v235' },
    tested: [],
    activity: () => Promise.resolve({ rows: [], nextCursor: null }),
    demoRunning: false,
  };
  const fleet = {
    hosts: () => world.hosts,
    models: (hostId?: string) =>
      world.models.filter((model) => hostId === undefined || model.hostId === hostId),
  };
  const tester = {
    test: (target: { readonly url: string; readonly key: string | null }) => {
      world.tested.push(target);
      return Promise.resolve(world.testResult);
    },
  };
  const auth = new AuthService({ store: sqlite.access, clock, log });
  const hosts = new HostService({
    store,
    secrets: store,
    fleet,
    tester,
    env: options.env ?? {},
    own: () => ({ port: 9503, names: new Set(['localhost', '127.0.0.1', '::1', 'box.lan']), publicUrl }),
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
  const demo = new DemoService({ fleet: demoFleet, hosts, settings: sqlite.settings, log });
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
        hosts,
        demo,
        publicUrl,
        version: '0.0.0-test',
        instance: 'test-instance',
        clock,
        capabilities: [],
        fleet,
        health: new HealthService([{ health: () => world.checks }]),
        history: { activity: (query) => world.activity(query) },
        segments: { segment: (hash) => world.segments.get(hash) ?? null },
        firstRun: new FirstRunService(tester, hosts, () => ({
          port: 9503,
          publicUrl,
          scheme: 'http',
          lanAddress: null,
        })),
        documents: {
          names: () => ({ fleet: 'fleet@g1', tail: 'tail@g1' }),
          open: () => null,
          unavailable: () => false,
          onDropped: () => () => undefined,
        },
      });
    },
  });
  onTestFinished(() => app.close());
  return {
    app,
    auth,
    hosts,
    demo,
    store,
    clock,
    log,
    world,
    signIn: async (role) => {
      const { code } = auth.issueCode(role);
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
