import type { HealthCheck } from '#shared/schemas/info.ts';
import type { Host } from '#shared/schemas/host.ts';
import type { HostCreate, HostPatch, HostTestResult } from '#shared/schemas/host-input.ts';
import { actorOf, type AuditLog } from '../domain/audit-log.ts';
import type { FileHost } from '../domain/drover-yaml.ts';
import {
  hostIdFromLabel,
  isOwnAddress,
  normalizeHostUrl,
  uniqueHostId,
  type OwnAddresses,
} from '../domain/host-address.ts';
import { hostChanged, hostCreated, hostRemoved, type HostChange } from '../domain/host-audit.ts';
import type { HostStore, HostTester, SecretStore } from '../domain/host-ports.ts';
import type { Identity } from '../domain/identity.ts';
import type { Clock, FleetReader, HealthSource, HostConfig, Log } from '../domain/ports.ts';
import { AppError } from '../errors.ts';
import { HostKeys } from './host-keys.ts';

/** What the service needs. */
export interface HostServiceOptions {
  readonly store: HostStore;
  readonly secrets: SecretStore;
  readonly fleet: FleetReader;
  readonly tester: HostTester;
  readonly audit: Pick<AuditLog, 'append'>;
  /** Names environment variables that `env:NAME` may refer to. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly own: () => OwnAddresses;
  readonly clock: Clock;
  readonly log: Log;
}

type ChangeListener = (hosts: readonly HostConfig[]) => void;

/** The registry of hosts: what is configured, how to sign in there, and who is told when it changes. */
export class HostService implements HealthSource {
  readonly #options: HostServiceOptions;
  readonly #keys: HostKeys;
  readonly #listeners = new Set<ChangeListener>();

  constructor(options: HostServiceOptions) {
    this.#options = options;
    this.#keys = new HostKeys(options);
  }

  /** Hosts as configured now. */
  configs(): readonly HostConfig[] {
    return this.#options.store.hosts();
  }

  /** Called with all hosts after each change of one. */
  onChanged(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Hosts with what is known of the way to them; one that was just added is `reconnecting`. */
  list(): readonly Host[] {
    const known = new Map(this.#options.fleet.hosts().map((host) => [host.id, host]));
    return this.configs().map((config) => shownHost(config, known.get(config.id), this.#options.clock.now()));
  }

  /** Adds a host. `by` is whoever asked for it, for the audit log. */
  create(request: HostCreate, by: Identity | null = null): Host {
    const url = this.#acceptUrl(request.url);
    const taken = (id: string) => this.#options.store.host(id) !== null;
    if (request.id !== undefined && taken(request.id)) {
      throw new AppError('conflict', `There is a host "${request.id}" already; choose another id.`);
    }
    const id = request.id ?? uniqueHostId(hostIdFromLabel(request.label), taken);
    const config: HostConfig = {
      id,
      label: request.label,
      url,
      paused: request.paused ?? false,
      pausedUntil: null,
      managedByFile: false,
      demo: false,
      keySource: request.key !== undefined ? 'stored' : (request.keyRef ?? null),
    };
    // The key first: a host without its key would be tried, and answered 401, between the two writes.
    if (request.key !== undefined) this.#options.secrets.setHostKey(id, request.key);
    try {
      this.#options.store.insertHost(
        config,
        this.#options.clock.now(),
        this.#record(by, hostCreated(config)),
      );
    } catch (error) {
      this.#options.secrets.setHostKey(id, null);
      throw error;
    }
    this.#changed({ hostId: id, url }, 'a host was added');
    return this.#shown(config);
  }

  /** Changes a host. */
  patch(id: string, request: HostPatch, by: Identity | null = null): Host {
    const host = this.#editable(id);
    const changed: HostConfig = {
      ...host,
      label: request.label ?? host.label,
      url: request.url === undefined ? host.url : this.#acceptUrl(request.url),
      paused: request.paused ?? host.paused,
      pausedUntil: request.paused === undefined ? (host.pausedUntil ?? null) : null,
      keySource: patchedKeySource(host, request),
    };
    const { secrets, store } = this.#options;
    const keyBefore = secrets.hostKey(id);
    if (typeof request.key === 'string') secrets.setHostKey(id, request.key);
    try {
      store.updateHost(changed, this.#record(by, hostChanged(id, request)));
    } catch (error) {
      secrets.setHostKey(id, keyBefore);
      throw error;
    }
    if (changed.keySource !== 'stored') this.#options.secrets.setHostKey(id, null);
    this.#changed({ hostId: id }, 'a host was changed');
    return this.#shown(changed);
  }

  /**
   * Pauses listening, until `untilMs` where that is given, or resumes it. Also for hosts of drover.yaml: it changes what
   * is done, not what is configured.
   */
  setPaused(id: string, paused: boolean, untilMs: number | null = null): void {
    const host = this.#options.store.host(id);
    if (host === null) throw new AppError('not_found', `There is no host "${id}".`);
    const pausedUntil = paused ? untilMs : null;
    if (host.paused === paused && (host.pausedUntil ?? null) === pausedUntil) return;
    this.#options.store.updateHost({ ...host, paused, pausedUntil });
    this.#changed({ hostId: id, paused }, paused ? 'a host was paused' : 'a host was resumed');
  }

  /** Takes the host out; its history stays. */
  remove(id: string, by: Identity | null = null): void {
    const host = this.#editable(id);
    if (host.demo) {
      throw new AppError('conflict', 'A demo host goes with the demo fleet: stop the demo to remove it.');
    }
    this.#options.store.removeHost(id, this.#options.clock.now(), this.#record(by, hostRemoved(id)));
    this.#options.secrets.setHostKey(id, null);
    this.#changed({ hostId: id }, 'a host was removed');
  }

  /** Tries an address as the Test button does; with `hostId` and no key, with that host's own key. */
  async test(request: {
    readonly url: string;
    readonly key?: string | undefined;
    readonly keyRef?: string | undefined;
    readonly hostId?: string | undefined;
  }): Promise<HostTestResult> {
    const url = normalizeHostUrl(request.url);
    if (isOwnAddress(url, this.#options.own())) {
      return { verdict: 'self', detail: 'This is Drover itself; a host is a llama-swap.' };
    }
    const known = this.#keys.forTest(url, request);
    return 'verdict' in known ? known : this.#options.tester.test({ url, key: known.key });
  }

  /** The key to send to a host; null when it has none or its variable is not set. */
  keyOf(id: string): string | null {
    return this.#keys.of(id);
  }

  health(): readonly HealthCheck[] {
    return this.#keys.health();
  }

  /** Makes the hosts of drover.yaml the ones it lists: at start, before anything connects. */
  applyFile(hosts: readonly FileHost[]): void {
    const listed = new Set(hosts.map((host) => host.id));
    const now = this.#options.clock.now();
    for (const known of this.configs()) {
      if (known.managedByFile && !listed.has(known.id)) this.#options.store.removeHost(known.id, now);
    }
    for (const host of hosts) {
      const known = this.#options.store.host(host.id);
      const config: HostConfig = {
        id: host.id,
        label: host.label ?? host.id,
        url: normalizeHostUrl(host.url),
        // Somebody paused it; the file says nothing of that.
        paused: known?.paused ?? false,
        pausedUntil: known?.pausedUntil ?? null,
        managedByFile: true,
        demo: false,
        keySource: host.keyRef ?? null,
      };
      if (known === null) this.#options.store.insertHost(config, now);
      else this.#options.store.updateHost(config);
    }
    this.#announce();
  }

  /** Makes the demo hosts the ones given: new ones are added, known ones get their new address. */
  applyDemo(hosts: readonly { readonly id: string; readonly label: string; readonly url: string }[]): void {
    const taken = hosts.find(({ id }) => this.#options.store.host(id)?.demo === false);
    if (taken) {
      throw new AppError('conflict', `There is a host "${taken.id}" that is no demo host; remove it first.`);
    }
    for (const host of hosts) {
      const config: HostConfig = {
        ...host,
        paused: false,
        pausedUntil: null,
        managedByFile: false,
        demo: true,
        keySource: null,
      };
      if (this.#options.store.host(host.id) === null) {
        this.#options.store.insertHost(config, this.#options.clock.now());
      } else {
        this.#options.store.updateHost(config);
      }
    }
    this.#announce();
  }

  /** Takes the demo hosts out with everything recorded of them. */
  purgeDemo(): void {
    const all = this.configs();
    const demo = all.filter((host) => host.demo);
    if (demo.length === 0) return;
    // Connectors first: what writes rows of a host must have stopped before its rows are deleted.
    this.#announce(all.filter((host) => !host.demo));
    for (const host of demo) this.#options.store.purgeHost(host.id, this.#options.clock.now());
  }

  #shown(config: HostConfig): Host {
    const known = this.#options.fleet.hosts().find((host) => host.id === config.id);
    return shownHost(config, known, this.#options.clock.now());
  }

  #editable(id: string): HostConfig {
    const host = this.#options.store.host(id);
    if (host === null) throw new AppError('not_found', `There is no host "${id}".`);
    if (host.managedByFile) {
      throw new AppError('managed_by_file', `"${id}" is configured in drover.yaml; change it there.`);
    }
    return host;
  }

  #acceptUrl(text: string): string {
    const url = normalizeHostUrl(text);
    if (isOwnAddress(url, this.#options.own())) {
      throw new AppError('bad_request', 'This is the address of Drover itself; a host is a llama-swap.');
    }
    return url;
  }

  /** Writes who did it, for the transaction that does it; nothing where nobody asked. */
  #record(by: Identity | null, change: HostChange): () => void {
    const { audit, clock } = this.#options;
    return () => {
      if (by !== null) audit.append({ at: clock.now(), actor: actorOf(by), ...change });
    };
  }

  #changed(fields: Readonly<Record<string, unknown>>, message: string): void {
    this.#options.log.info(fields, message);
    this.#announce();
  }

  #announce(hosts: readonly HostConfig[] = this.configs()): void {
    for (const listener of this.#listeners) listener(hosts);
  }
}

function patchedKeySource(host: HostConfig, request: HostPatch): string | null {
  if (typeof request.key === 'string') return 'stored';
  if (request.keyRef !== undefined) return request.keyRef;
  return request.key === null ? null : host.keySource;
}

function shownHost(config: HostConfig, known: Host | undefined, now: number): Host {
  return {
    liveness: 'reconnecting',
    since: now,
    lastSeenAt: null,
    reason: null,
    version: null,
    attempt: null,
    nextAttemptAt: null,
    features: [],
    clockOffsetMs: null,
    profiles: null,
    ...known,
    ...config,
  };
}
