import { type IntentView } from '#shared/schemas/intent.ts';
import { intentRecord, intentRequest } from '#shared/schemas/intent-request.ts';
import type { Liveness } from '#shared/schemas/host.ts';
import { must } from '#shared/lib/assert.ts';
import type { HostLease } from '#shared/schemas/lease.ts';
import type { Model } from '#shared/schemas/model.ts';
import { readFleet } from '#sync/fleet-doc.ts';
import { fleetKey, parseFleet } from '#sync/fleet-record.ts';
import { Connection } from '../adapters/sqlite/connection.ts';
import { migrate } from '../adapters/sqlite/migrations.ts';
import { storesOn, type SqliteStore } from '../adapters/sqlite/open-store.ts';
import type { HostFacts, HostObserver } from '../domain/host-facts.ts';
import type { Identity } from '../domain/identity.ts';
import type { Clock, HostConfig } from '../domain/ports.ts';
import { INTENT_REGISTRY } from '../intent-kinds/registry.ts';
import { DocHost } from '../services/doc-host.ts';
import { HostGate } from '../services/host-gate.ts';
import { IntentLedger } from '../services/intent-ledger.ts';
import { IntentService } from '../services/intent-service.ts';
import { FakeControl } from './fake-control.ts';
import { ManualClock } from './manual-clock.ts';
import { modelRow } from './model-rows.ts';
import { silentLog } from './silent-log.ts';

/** The one host there is. */
export const HOST: HostConfig = {
  id: 'marlin',
  label: 'marlin',
  url: 'http://127.0.0.1:1',
  paused: false,
  managedByFile: false,
  demo: false,
  keySource: null,
};

/** The people there are. */
export const PEOPLE: readonly Identity[] = ['Ana', 'Ben'].map((label) => ({
  kind: 'device',
  id: label.toLowerCase(),
  label,
  role: 'operator',
}));

interface Incarnation {
  readonly service: IntentService;
  readonly docHost: DocHost;
  alive: boolean;
}

/**
 * A simulated host under the real service, the real line and the real database, in a time that a test moves. The
 * process can be killed at any moment: what it had sent, the host does all the same.
 */
export class IntentsSim {
  readonly clock = new ManualClock();
  readonly store: SqliteStore;
  /** Every order that reached the host, in words. */
  readonly orders: string[] = [];
  readonly models = new Map<string, string>();
  readonly #listeners = new Set<(hostId: string) => void>();
  readonly #controls = new Set<FakeControl>();
  #todo: string[] = [];
  #liveness: Liveness = 'connected';
  #now: Incarnation;

  constructor(modelIds: readonly string[]) {
    const connection = new Connection(':memory:');
    migrate(connection, this.clock.now());
    this.store = storesOn(connection);
    for (const id of modelIds) this.models.set(id, 'stopped');
    this.#now = this.#boot();
  }

  get service(): IntentService {
    return this.#now.service;
  }

  view(id: string): IntentView {
    const view = this.service.view(id);
    if (!view) throw new Error(`the intent ${id} was lost`);
    return view;
  }

  /** What the fleet document says of who acts on the host. */
  lease(): HostLease | null {
    const shared = must(this.#now.docHost.open(this.#now.docHost.names().fleet), 'the fleet document');
    return parseFleet(readFleet(shared.doc)).leases.get(fleetKey.lease(HOST.id)) ?? null;
  }

  submit(request: Record<string, unknown>, by: Identity): void {
    this.service.submit(intentRequest.parse(request), by);
  }

  /** A record made on a device whose clock differs, received now. */
  receive(request: Record<string, unknown>, by: Identity, clockOffsetMs: number): void {
    const receivedAt = this.clock.now();
    const record = intentRecord.parse({ ...request, v: 1, epoch: 1, createdAt: receivedAt - clockOffsetMs });
    this.service.receive(record.id, record, by, { receivedAt, clockOffsetMs });
  }

  /** kill -9, and the next process at once. */
  crash(): void {
    this.#now.alive = false;
    this.#now.docHost.stop();
    this.#controls.clear();
    this.#now = this.#boot();
  }

  setLiveness(liveness: Liveness): void {
    this.#liveness = liveness;
    this.#tell();
  }

  /** The host does what it was told, and answers whoever still listens. */
  work(): void {
    for (const order of this.#todo.splice(0)) {
      const [verb, modelId] = order.split(' ');
      if (modelId !== undefined) this.models.set(modelId, verb === 'load' ? 'ready' : 'stopped');
    }
    this.#tell();
    // A model's own server may have no such page, and the load has worked all the same.
    const replyTo = (order: string) => ({ status: order.startsWith('load') ? 404 : 200, detail: null });
    for (const control of this.#controls) control.answer(replyTo);
  }

  /** Lets everything run that needs no time. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  close(): void {
    this.#now.alive = false;
    this.service.stop();
    this.#now.docHost.stop();
    this.store.close();
  }

  #boot(): Incarnation {
    const log = silentLog();
    const life = { alive: true };
    const clock = mortalClock(this.clock, life);
    const docHost = new DocHost({ store: this.store, clock, log });
    docHost.start();
    const { intents, audit } = this.store;
    const ledger = new IntentLedger({ docHost, intents, audit, clock });
    const gate = new HostGate({ store: this.store, ledger, controlFor: () => this.#control(), clock, log });
    const service = new IntentService({
      docHost,
      store: this.store,
      ledger,
      registry: INTENT_REGISTRY,
      observer: this.#observer(life),
      gate,
      roles: { roleOf: ({ id }) => PEOPLE.find((person) => person.id === id)?.role ?? null },
      pauses: { setPaused: () => undefined },
      lookAgain: () => undefined,
      clock,
      log,
    });
    service.start();
    return Object.assign(life, { service, docHost });
  }

  #control(): FakeControl {
    const control = new FakeControl();
    control.reply = null;
    control.onOrder = (order) => {
      this.orders.push(order);
      this.#todo.push(order);
    };
    this.#controls.add(control);
    return control;
  }

  #observer(life: { readonly alive: boolean }): HostObserver {
    return {
      facts: (hostId) => (hostId === HOST.id ? this.#facts() : null),
      lastEndedAt: () => null,
      onChange: (listener) => {
        const mortal = (hostId: string): void => {
          if (life.alive) listener(hostId);
        };
        this.#listeners.add(mortal);
        return () => this.#listeners.delete(mortal);
      },
    };
  }

  #facts(): HostFacts {
    const connected = this.#liveness === 'connected';
    return {
      host: HOST,
      liveness: this.#liveness,
      since: 0,
      reason: null,
      current: connected,
      models: [...this.models].map(([modelId, state]): Model =>
        modelRow({ hostId: HOST.id, modelId, state }),
      ),
      inFlight: connected ? { hostId: HOST.id, total: 0, requests: [], observedAt: 0 } : null,
      features: [],
      listed: true,
      profile: null,
    };
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(HOST.id);
  }
}

/** A clock whose timers die with the process that set them. */
function mortalClock(clock: Clock, life: { readonly alive: boolean }): Clock {
  const mortal = (task: () => void) => (): void => {
    if (life.alive) task();
  };
  return {
    now: () => clock.now(),
    after: (delayMs, task) => clock.after(delayMs, mortal(task)),
    every: (periodMs, task) => clock.every(periodMs, mortal(task)),
  };
}
