import type { HealthCheck } from '#shared/schemas/info.ts';
import type {
  Clock,
  ConnectorStore,
  FleetSink,
  HealthSource,
  HostConfig,
  HostStatus,
  LlamaSwapClient,
  Log,
} from '../domain/ports.ts';
import type { LogSink } from '../domain/log-ports.ts';
import type { PerformanceSink } from '../domain/performance-ports.ts';
import { collectorCheck } from '../domain/health/collector-check.ts';
import { hostChecks } from '../domain/health/host-checks.ts';
import { Connector } from './connector.ts';

const HEARTBEAT_MS = 1_000;
/** A heartbeat this late means that the whole process stood still: a closed lid, SIGSTOP, a debugger. */
const LATE_MS = 5_000;

/** What the collector works with. */
export interface CollectorOptions {
  /** A client of its own for each host; `close` ends its connections. */
  readonly clientFor: (host: HostConfig) => LlamaSwapClient & { close?(): void | Promise<void> };
  readonly sink: FleetSink;
  /** Where samples of machines and cards go; left out: hosts are not asked for them. */
  readonly performance?: PerformanceSink;
  readonly store: ConnectorStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Where log lines of hosts go; left out: nowhere. */
  readonly logs?: LogSink;
  /** 0 ≤ random() < 1; Math.random when left out. */
  readonly random?: () => number;
}

interface Member {
  readonly host: HostConfig;
  readonly connector: Connector;
  readonly close: () => void;
}

/** One connector for each configured host, following the registry. */
export class Collector implements HealthSource {
  readonly #options: CollectorOptions;
  readonly #members = new Map<string, Member>();
  #stopHeartbeat: (() => void) | null = null;
  #lastBeatAt = 0;
  #startedAt = 0;
  #stoodStill: { readonly at: number; readonly lateMs: number } | null = null;

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  /** Begins to listen to these hosts. */
  start(hosts: readonly HostConfig[]): void {
    const { clock } = this.#options;
    this.#lastBeatAt = clock.now();
    this.#startedAt = clock.now();
    this.#stopHeartbeat = clock.every(HEARTBEAT_MS, () => this.#beat());
    this.setHosts(hosts);
  }

  /** Closes every stream. */
  stop(): void {
    this.#stopHeartbeat?.();
    this.#stopHeartbeat = null;
    for (const id of this.#members.keys()) this.remove(id);
  }

  /** Follows the registry: hosts that are new, gone, paused or moved, and those whose key may be another one now. */
  setHosts(hosts: readonly HostConfig[]): void {
    const wanted = new Set(hosts.map((host) => host.id));
    for (const id of this.#members.keys()) if (!wanted.has(id)) this.remove(id);
    for (const host of hosts) this.update(host);
  }

  /** Adds a host, or takes over what changed of it. */
  update(host: HostConfig): void {
    const member = this.#members.get(host.id);
    if (member && isSameWay(member.host, host)) {
      member.connector.keysMayHaveChanged();
      return;
    }
    this.remove(host.id);
    this.#add(host);
  }

  /** Stops listening to a host. */
  remove(hostId: string): void {
    const member = this.#members.get(hostId);
    if (!member) return;
    this.#members.delete(hostId);
    member.connector.stop();
    member.close();
  }

  /** Looks at once whether a host that sleeps is awake: the way of looking does not wake it. */
  lookAgain(hostId: string): void {
    this.#members.get(hostId)?.connector.lookAgain();
  }

  /** The store recovered after it had lost uncommitted rows: every host is read again from what it holds. */
  resyncAll(): void {
    for (const { connector } of this.#members.values()) connector.resync();
  }

  /** The way to a host as it is now; null when it is not listened to. */
  status(hostId: string): HostStatus | null {
    return this.#members.get(hostId)?.connector.status ?? null;
  }

  /** The process itself, and the way to each host. */
  health(): readonly HealthCheck[] {
    const now = this.#options.clock.now();
    const members = [...this.#members.values()];
    const paused = members.filter(({ host }) => host.paused).length;
    const facts = {
      startedAt: this.#startedAt,
      hosts: members.length,
      paused,
      stoodStill: this.#stoodStill,
    };
    const hosts = members.map(({ host, connector }) => ({
      config: host,
      status: connector.status,
      logsDropped: connector.logsDropped,
    }));
    return [collectorCheck(facts, now), ...hostChecks(hosts, now)];
  }

  #add(host: HostConfig): void {
    const { clientFor, sink, performance = null, store, clock, log, logs = null } = this.#options;
    const { random = Math.random } = this.#options;
    const client = clientFor(host);
    const connector = new Connector({ host, client, sink, performance, logs, store, clock, log, random });
    const close = () => {
      void (async () => client.close?.())().catch((error: unknown) =>
        log.warn({ hostId: host.id, error }, 'closing connections to a host failed'),
      );
    };
    this.#members.set(host.id, { host, connector, close });
    connector.start();
  }

  #beat(): void {
    const { clock, log } = this.#options;
    const now = clock.now();
    const lateMs = now - this.#lastBeatAt - HEARTBEAT_MS;
    this.#lastBeatAt = now;
    if (lateMs <= LATE_MS) return;
    this.#stoodStill = { at: now, lateMs };
    // A client that does not read makes some versions of llama-swap write their own log until the disk is full.
    log.warn(
      { lateMs, hosts: this.#members.size },
      'the process stood still; every event stream is opened again',
    );
    for (const { connector } of this.#members.values()) connector.woke();
  }
}

function isSameWay(a: HostConfig, b: HostConfig): boolean {
  return a.url === b.url && a.keySource === b.keySource && a.paused === b.paused;
}
