import type { AccessStore } from '../domain/access-ports.ts';
import type { AuditLog } from '../domain/audit-log.ts';
import type { LlamaSwapControl } from '../domain/intent-ports.ts';
import type { Clock, HostConfig, Log } from '../domain/ports.ts';
import type { Store } from '../domain/store-ports.ts';
import { INTENT_REGISTRY } from '../intent-kinds/registry.ts';
import type { DocHost } from './doc-host.ts';
import type { FleetWatch } from './fleet-watch.ts';
import { HostGate } from './host-gate.ts';
import type { HostService } from './host-service.ts';
import { IntentLedger } from './intent-ledger.ts';
import { IntentService } from './intent-service.ts';
import { PauseSchedule } from './pause-schedule.ts';
import { createRoleSource } from './role-source.ts';

/** What intents are put together from. */
export interface IntentsOptions {
  readonly docHost: DocHost;
  readonly store: Store & {
    readonly audit: AuditLog;
    readonly access: AccessStore;
  };
  /** What connectors tell, on its way to the recorder. */
  readonly watch: FleetWatch;
  readonly hosts: HostService;
  /** Connections for orders to one host, made for each. */
  readonly controlFor: (host: HostConfig) => LlamaSwapControl;
  /** Asks whether a sleeping host woke up, without waking it. */
  readonly lookAgain: (hostId: string) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Everything that acts on hosts. */
export interface Intents {
  readonly service: IntentService;
  /** The one way to act on a host, for whoever is no intent as well. */
  readonly gate: HostGate;
  start(): void;
  /** Stops at once; what runs is settled by the next start. */
  stop(): void;
}

/** Puts line, gate, executors and pauses together. */
export function createIntents(options: IntentsOptions): Intents {
  const { docHost, store, watch, hosts, controlFor, lookAgain, clock, log } = options;
  const ledger = new IntentLedger({ docHost, intents: store.intents, audit: store.audit, clock });
  const gate = new HostGate({ store, ledger, controlFor, clock, log });
  const pauses = new PauseSchedule({ hosts, clock, log });
  const service = new IntentService({
    docHost,
    store,
    ledger,
    registry: INTENT_REGISTRY,
    observer: watch,
    gate,
    roles: createRoleSource(store.access, clock),
    pauses,
    lookAgain,
    clock,
    log,
  });
  let stopListening = (): void => {};
  return {
    service,
    gate,
    start() {
      stopListening = hosts.onChanged((all) => watch.registryChanged(all.map(({ id }) => id)));
      pauses.start();
      service.start();
    },
    stop() {
      stopListening();
      service.stop();
      pauses.stop();
    },
  };
}
