import type { Host } from '#shared/schemas/host.ts';
import type { Model } from '#shared/schemas/model.ts';
import { hostEntry, statusAfterRestart } from '../domain/fleet-projection.ts';
import type { Clock, FleetReader, HostConfig, HostStatus } from '../domain/ports.ts';
import type { Store } from '../domain/store-ports.ts';

/** A host in memory, as committed; `models` carry the time they were last observed, which no commit needs. */
export interface CachedHost {
  readonly config: HostConfig;
  /** As last recorded, perhaps by an earlier process. */
  readonly status: HostStatus | null;
  readonly models: readonly Model[];
}

/** What was last committed of hosts and models, in memory: HTTP reads it, the recorder compares against it. */
export class FleetCache implements FleetReader {
  readonly #hosts = new Map<string, CachedHost>();
  readonly #seenAt = new Map<string, number>();
  readonly #clock: Clock;
  /** Hosts whose status is of an earlier process still: nobody may take it for a live one. */
  readonly #beforeStart = new Set<string>();
  /** When a host was added, for those whose connection has not said anything yet. */
  readonly #addedAt = new Map<string, number>();
  #loadedAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reads everything anew. At start, and when the store recovered. */
  load(store: Store): void {
    this.#hosts.clear();
    this.#beforeStart.clear();
    this.#addedAt.clear();
    this.#loadedAt = this.#clock.now();
    for (const { config, status } of store.fleet.hosts()) {
      this.#hosts.set(config.id, { config, status, models: store.fleet.models(config.id) });
      this.#beforeStart.add(config.id);
    }
  }

  get(hostId: string): CachedHost | null {
    return this.#hosts.get(hostId) ?? null;
  }

  all(): readonly CachedHost[] {
    return [...this.#hosts.values()];
  }

  /** Replaces what is known of a host, after the commit that says so. */
  put(host: CachedHost): void {
    if (!this.#hosts.has(host.config.id)) this.#addedAt.set(host.config.id, this.#clock.now());
    if (host.status !== this.#hosts.get(host.config.id)?.status) this.#beforeStart.delete(host.config.id);
    this.#hosts.set(host.config.id, host);
  }

  delete(hostId: string): void {
    this.#hosts.delete(hostId);
    this.#seenAt.delete(hostId);
    this.#addedAt.delete(hostId);
  }

  /** Notes that the host was heard; kept in memory. */
  seen(hostId: string, at: number): void {
    if (at > (this.#seenAt.get(hostId) ?? 0)) this.#seenAt.set(hostId, at);
  }

  /** When the host was last heard: live, else as last committed. */
  lastSeenAt(hostId: string): number | null {
    const committed = this.#hosts.get(hostId)?.status?.lastSeenAt ?? null;
    const live = this.#seenAt.get(hostId) ?? null;
    if (committed === null || live === null) return committed ?? live;
    return Math.max(committed, live);
  }

  hosts(): readonly Host[] {
    return this.all().map((host) => this.#entry(host));
  }

  /** One host, or null. */
  host(hostId: string): Host | null {
    const host = this.get(hostId);
    return host && this.#entry(host);
  }

  models(hostId?: string): readonly Model[] {
    if (hostId !== undefined) return this.get(hostId)?.models ?? [];
    return this.all().flatMap(({ models }) => models);
  }

  #entry({ config, status, models }: CachedHost): Host {
    const shown = this.#beforeStart.has(config.id) ? statusAfterRestart(status, this.#loadedAt) : status;
    const since = this.#addedAt.get(config.id) ?? this.#loadedAt;
    return { ...hostEntry(config, shown, since, models), lastSeenAt: this.lastSeenAt(config.id) };
  }
}
