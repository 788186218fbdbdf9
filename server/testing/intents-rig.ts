import { randomUUID } from 'node:crypto';
import { onTestFinished, vi } from 'vitest';
import type { Role } from '#shared/schemas/auth.ts';
import { isTerminal, type IntentView } from '#shared/schemas/intent.ts';
import { type IntentRequest } from '#shared/schemas/intent-request.ts';
import { intentRequest } from '#shared/schemas/intent-request.ts';
import { must } from '#shared/lib/assert.ts';
import { createLlamaSwapClient } from '../adapters/llama-swap-client.ts';
import { createLlamaSwapControl } from '../adapters/llama-swap-control.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { retention } from '../domain/drover-yaml.ts';
import type { Identity } from '../domain/identity.ts';
import type { EmulatedHost } from '../emulator/emulated-host.ts';
import { Collector } from '../services/collector.ts';
import { FleetWatch } from '../services/fleet-watch.ts';
import { HostService } from '../services/host-service.ts';
import { createIntents, type Intents } from '../services/intents.ts';
import { StopStack } from '../stop-stack.ts';
import { openTruth, type Truth } from '../truth.ts';
import { silentLog } from './silent-log.ts';
import { temporaryDirectory } from './temporary-store.ts';

/** Intents over a real store, a real collector and real connections to emulated hosts, as the server composes them. */
export interface IntentsRig {
  readonly truth: Truth;
  readonly hosts: HostService;
  readonly watch: FleetWatch;
  readonly intents: Intents;
  /** An operator's device or key that may act. */
  identity(label: string, role?: Role): Identity;
  /** Adds a host and waits until it is listened to, or is found asleep. */
  add(id: string, host: EmulatedHost): Promise<void>;
  /** Sends an intent; `kind`, `target` and what the test is about. */
  send(by: Identity, request: Record<string, unknown>): IntentView;
  /** Waits until an intent has ended. */
  ended(id: string): Promise<IntentView>;
  /** Waits until an intent looks as it should. */
  until(id: string, matches: (view: IntentView) => boolean): Promise<IntentView>;
  stop(): Promise<void>;
}

/** Builds the rig over a data directory; a second one over the same directory is the next process. */
export function intentsRig(dataDir = temporaryDirectory()): IntentsRig {
  const clock = systemClock;
  const log = silentLog();
  const stops = new StopStack(log);
  onTestFinished(() => stops.unwind());
  const truth = openTruth({ config: { dataDir, retention: retention.parse({}) }, clock, log, stops });
  const hosts = new HostService({
    store: truth.hostStore,
    secrets: truth.secrets,
    fleet: truth.cache,
    tester: { test: () => Promise.reject(new Error('no host is tested here')) },
    audit: truth.store.audit,
    env: {},
    own: () => ({ port: 1, names: new Set(), publicUrl: null }),
    clock,
    log,
  });
  const watch = new FleetWatch({
    sink: truth.recorder,
    cache: truth.cache,
    history: truth.store.activity,
    clock,
  });
  const collector = new Collector({
    clientFor: (host) => createLlamaSwapClient({ url: host.url, key: () => null, clock }),
    sink: watch,
    store: truth.connectorStore,
    clock,
    log,
    random: () => 0,
  });
  const intents = createIntents({
    docHost: truth.docHost,
    store: truth.store,
    watch,
    hosts,
    controlFor: (host) => createLlamaSwapControl({ url: host.url, key: () => null, clock }),
    lookAgain: (hostId) => collector.lookAgain(hostId),
    clock,
    log,
  });
  hosts.onChanged((all) => collector.setHosts(all));
  intents.start();
  stops.add('intents', () => intents.stop());
  collector.start(hosts.configs());
  stops.add('collector', () => collector.stop());

  const until: IntentsRig['until'] = async (id, matches) => {
    const found = await vi.waitUntil(
      () => {
        const view = intents.service.view(id);
        return view && matches(view) ? view : null;
      },
      { timeout: 20_000, interval: 10 },
    );
    return must(found, 'the intent');
  };
  return {
    truth,
    hosts,
    watch,
    intents,
    identity(label, role = 'operator') {
      const id = randomUUID();
      truth.store.access.insertKey({
        id,
        label,
        role,
        prefix: 'drv_',
        keyHash: id,
        createdAt: clock.now(),
        lastUsedAt: null,
        revokedAt: null,
      });
      return { kind: 'key', id, label, role };
    },
    async add(id, host) {
      hosts.create({ id, label: id, url: host.url });
      await vi.waitUntil(
        () => {
          const facts = watch.facts(id);
          return facts?.current === true || facts?.liveness === 'asleep';
        },
        { timeout: 20_000, interval: 10 },
      );
    },
    send(by, request) {
      const parsed: IntentRequest = intentRequest.parse({ id: randomUUID(), ...request });
      const received = intents.service.submit(parsed, by);
      if (!('view' in received)) throw new Error(`the intent was ${received.outcome}`);
      return received.view;
    },
    until,
    ended: (id) => until(id, ({ state }) => isTerminal(state)),
    stop: () => stops.unwind(),
  };
}
