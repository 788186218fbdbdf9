import { randomBytes, randomUUID } from 'node:crypto';
import { createLlamaSwapClient } from './adapters/llama-swap-client.ts';
import { createLlamaSwapControl } from './adapters/llama-swap-control.ts';
import { createLogStreamClient } from './adapters/llama-swap-log-streams.ts';
import { ThreadOutboxJudge } from './adapters/outbox/outbox-judge.ts';
import { systemClock } from './adapters/system-clock.ts';
import { createCaptures } from './captures.ts';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { AppError } from './errors.ts';
import { lazyDemoFleet } from './lazy-demo-fleet.ts';
import { isOwnAddress } from './domain/host-address.ts';
import type { Log } from './domain/ports.ts';
import { SERVER_URL_SETTING } from './domain/server-address.ts';
import { followRegistry, tellOfPeople } from './followers.ts';
import { listen, replaceCertificate } from './http-server.ts';
import { lanUrl, localUrl, ownAddresses } from './network.ts';
import { mountApi } from './routes/mount-api.ts';
import { mountSync } from './routes/sync.ts';
import { AuthService } from './services/auth-service.ts';
import { Collector } from './services/collector.ts';
import { DemoService } from './services/demo-service.ts';
import { DeviceService } from './services/device-service.ts';
import { FirstRunService } from './services/first-run.ts';
import { FleetWatch } from './services/fleet-watch.ts';
import { HealthService } from './services/health-service.ts';
import { HostService } from './services/host-service.ts';
import { createHostTester } from './services/host-test.ts';
import { createIntents } from './services/intents.ts';
import { createLogs } from './services/logs.ts';
import { OutboxService } from './services/outbox-service.ts';
import { PairingService } from './services/pairing-service.ts';
import { PresenceBoard } from './services/presence-board.ts';
import { SyncServer } from './services/sync-server.ts';
import { SegmentCache } from './services/segment-cache.ts';
import { createServerHealth } from './server-health.ts';
import { StopStack } from './stop-stack.ts';
import type { TlsFiles } from './tls.ts';
import { followAccess } from './services/intent-access.ts';
import { openTruth } from './truth.ts';

/** What a server is started with. */
export interface ServerOptions {
  readonly config: Config;
  readonly version: string;
  readonly log: Log;
  readonly tls: TlsFiles | null;
  /** The built client. */
  readonly clientDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A server that listens. */
export interface RunningServer {
  readonly url: string;
  /** Link that pairs the first device; null once there is one. */
  readonly pairingUrl: string | null;
  /** Address for other machines on the network; null when only this one can connect. */
  readonly lanUrl: string | null;
  /** Uses another certificate for the next connections. */
  replaceTls(tls: TlsFiles): void;
  /** Commits what waits, closes sockets one after the other, and lets go of the data directory. */
  stop(): Promise<void>;
}

/** What this server can do that an older one could not. */
const CAPABILITIES = [
  'live',
  'segments',
  'activity-search',
  'performance',
  'demo',
  'devices',
  'presence',
  'intents',
  'outbox',
  'logs',
  'captures',
] as const;

/** Starts everything over one data directory. What was started before a failure is stopped again. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const stops = new StopStack(options.log);
  try {
    return await start(options, stops);
  } catch (error) {
    await stops.unwind();
    throw error;
  }
}

async function start(options: ServerOptions, stops: StopStack): Promise<RunningServer> {
  const { config, log, env } = options;
  const { publicUrl } = config;
  const clock = systemClock;
  let { port } = config;
  const own = () => ownAddresses(config.host, port, publicUrl);
  const instance = randomUUID();
  const doctorKey = randomBytes(24).toString('base64url');

  const truth = openTruth({ config, clock, log, stops });
  const { docHost, recorder, cache, live } = truth;

  const access = { database: truth.store, clock, log };
  const auth = new AuthService(access);
  const pairing = new PairingService(access);
  const devices = new DeviceService({ ...access, auth });
  const tester = createHostTester({
    clock,
    instance,
    isOwnAddress: (url) => isOwnAddress(url, own()),
    connect: (target) => createLlamaSwapClient({ ...target, clock }),
  });
  const hosts = new HostService({
    store: truth.hostStore,
    secrets: truth.secrets,
    fleet: cache,
    tester,
    audit: truth.store.audit,
    env,
    own,
    clock,
    log,
  });
  const watch = new FleetWatch({ sink: recorder, cache, history: truth.store.activity, clock });
  const logs = createLogs({
    watch,
    clientFor: (host) => createLogStreamClient({ url: host.url, key: () => hosts.keyOf(host.id), clock }),
    keyOf: (hostId) => hosts.keyOf(hostId),
    clock,
    archive: {
      store: truth.store.logChunks,
      transact: (work) => truth.store.transact(work),
      budgetBytes: config.logs.keepMb * 1024 * 1024,
      log,
    },
  });
  const collector = new Collector({
    clientFor: (host) => createLlamaSwapClient({ url: host.url, key: () => hosts.keyOf(host.id), clock }),
    sink: watch,
    performance: truth.performance,
    store: truth.connectorStore,
    clock,
    log,
    logs: logs.hub,
  });
  const intents = createIntents({
    docHost,
    store: truth.store,
    watch,
    hosts,
    controlFor: (host) => createLlamaSwapControl({ url: host.url, key: () => hosts.keyOf(host.id), clock }),
    lookAgain: (hostId) => collector.lookAgain(hostId),
    clock,
    log,
  });
  const captures = createCaptures({ config, truth, watch, hosts, clock, log, stops });
  const demo = new DemoService({ fleet: lazyDemoFleet(), hosts, settings: truth.store.settings, log });
  const scheme = options.tls === null ? 'http' : 'https';
  const firstRun = new FirstRunService(tester, hosts, () => ({
    port,
    publicUrl,
    lanUrl: lanUrl(scheme, config.host, port),
  }));
  const isHost = (id: string) => cache.host(id) !== null;
  const presence = new PresenceBoard({ live, isHost, clock });
  const judge = new ThreadOutboxJudge();
  const outboxes = new OutboxService({
    store: truth.store,
    audit: truth.store.audit,
    judge,
    intents: intents.service,
    authenticator: auth,
    clock,
    log,
  });
  stops.add('outbox thread', () => judge.stop());
  const sync = new SyncServer({
    documents: docHost,
    authenticator: auth,
    live,
    presence,
    logs: logs.hub,
    outboxes,
    sizes: () => docHost.sizes(),
    clock,
    log,
  });
  tellOfPeople({ auth, pairing, sync });

  const ownHealth = createServerHealth({
    config,
    env,
    tls: options.tls,
    audit: truth.store.audit,
    clock,
    log,
  });

  const segments = new SegmentCache((hash) => truth.store.segments.blob(hash), clock);
  stops.add('segments', () => segments.stop());

  const app = await buildApp({
    authenticator: auth,
    clock,
    log,
    publicUrl,
    trustProxy: config.trustProxy,
    tls: options.tls,
    clientDir: options.clientDir,
    mountRoutes: async (guarded) => {
      await mountSync(guarded, { sync });
      mountApi(guarded, {
        auth,
        pairing,
        devices,
        lanUrl: () => lanUrl(scheme, config.host, port),
        hosts,
        intents: intents.service,
        demo,
        firstRun,
        publicUrl,
        instance,
        version: options.version,
        clock,
        capabilities: CAPABILITIES,
        performance: truth.performanceQueries,
        documents: docHost,
        outboxes,
        fleet: cache,
        history: truth.history,
        segments,
        captures,
        keptLogs: logs.archive,
        health: new HealthService(
          [
            docHost,
            collector,
            hosts,
            sync,
            truth.sealer,
            truth.upkeep,
            captures,
            logs.archive,
            intents.service,
            ownHealth.auditWatch,
            outboxes,
            ownHealth.machine,
          ],
          clock,
        ),
        doctorKey,
      });
    },
  });
  stops.add('http', () => app.close());

  // Whatever waits for a store that works again: what the file says, and what connectors learned meanwhile.
  const applyFile = () => hosts.applyFile(config.fileHosts);
  whenStoreWorks(applyFile, log);
  docHost.onRecovered(() => whenStoreWorks(applyFile, log));
  recorder.onResync(() => collector.resyncAll());
  auth.start();
  stops.add('access', () => auth.stop());
  presence.start();
  stops.add('presence', () => presence.stop());
  sync.start();
  ownHealth.auditWatch.start();
  stops.add('audit watch', () => ownHealth.auditWatch.stop());

  port = await listen(app, config);
  const url = localUrl(scheme, config.host, port);
  const unannounced = truth.lock.announce({ url, key: doctorKey });
  if (unannounced !== null)
    log.warn({ error: unannounced }, 'drover doctor cannot ask this server: drover.lock holds no key for it');
  const pairingCode = whenStoreWorks(() => {
    truth.store.settings.setSetting(SERVER_URL_SETTING, publicUrl ?? url);
    return pairing.firstStartCode(config.pairingCode);
  }, log);

  // Before the collector: the emulated hosts of the last run listened at other ports.
  stops.add('demo fleet', () => demo.stop());
  await demo.start(config.demo);
  followRegistry(hosts, collector, [live, logs.archive, logs.hub]);
  logs.start(hosts.configs().map(({ id }) => id));
  stops.add('logs', () => logs.stop());
  intents.start();
  stops.add('intents', () => intents.stop());
  outboxes.start();
  stops.add('outboxes', () => outboxes.stop());
  followAccess(auth, intents.service);
  collector.start(hosts.configs());
  stops.add('collector', () => collector.stop());
  if (hosts.configs().length === 0) void offerLocal(firstRun, log);

  return {
    url,
    lanUrl: publicUrl === null ? lanUrl(scheme, config.host, port) : null,
    pairingUrl: pairingCode === null ? null : `${publicUrl ?? url}/#pair=${pairingCode}`,
    replaceTls(tls) {
      replaceCertificate(app.server, tls);
      ownHealth.replaceTls(tls);
    },
    stop: () => stops.unwind(),
  };
}

/** Runs `work`, or says why not when the store takes no writes: the server starts all the same, to show the remedy. */
function whenStoreWorks<T>(work: () => T, log: Log): T | null {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'store_unavailable') throw error;
    log.error({ error: error.message }, 'the store takes no writes');
    return null;
  }
}

/** With no host configured: says when a llama-swap runs on this machine. The page offers it; nobody adds it unasked. */
async function offerLocal(firstRun: FirstRunService, log: Log): Promise<void> {
  try {
    const found = await firstRun.findLocal();
    if (found !== null) log.info(found, 'a llama-swap runs on this machine; add it in the app');
  } catch (error) {
    log.warn({ error: String(error) }, 'looking for a llama-swap on this machine failed');
  }
}
