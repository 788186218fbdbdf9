import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { InFlight } from '#shared/schemas/in-flight.ts';
import type { Model, ModelEvent } from '#shared/schemas/model.ts';
import type { HostFacts, HostObserver } from '../domain/host-facts.ts';
import type { Clock, FleetSink, HostStatus } from '../domain/ports.ts';
import type { ActivityStore } from '../domain/store-ports.ts';
import type { FleetCache } from './fleet-cache.ts';

/** What a watch is made of. */
export interface FleetWatchOptions {
  /** Where everything goes on to. */
  readonly sink: FleetSink;
  /** What was known before anything was told. */
  readonly cache: Pick<FleetCache, 'get' | 'host'>;
  readonly history: Pick<ActivityStore, 'cursor'>;
  readonly clock: Clock;
}

/** Names in activity rows are chosen by whoever sends requests: so many are remembered of a host. */
const MAX_NAMES = 2_000;

interface Seen {
  status: HostStatus | null;
  models: readonly Model[] | null;
  inFlight: InFlight | null;
  profile: { readonly active: string | null } | null;
  listed: boolean;
  /** When the last connection ended: what was told before that is of another one. */
  lostAt: number;
  /** When the last request of each model ended, as told since the start. */
  readonly endedAt: Map<string, number>;
}

/**
 * Stands between connectors and recorder and keeps what is so right now: an intent is judged by what was observed, not
 * by what was written a moment ago. Listeners are called at every single change: a state that lasts a moment counts.
 */
export class FleetWatch implements FleetSink, HostObserver {
  readonly #options: FleetWatchOptions;
  readonly #seen = new Map<string, Seen>();
  readonly #listeners = new Set<(hostId: string) => void>();
  readonly #startedAt: number;

  constructor(options: FleetWatchOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
  }

  facts(hostId: string): HostFacts | null {
    const { cache } = this.#options;
    const known = cache.get(hostId);
    const shown = cache.host(hostId);
    if (!known || !shown) return null;
    const seen = this.#seen.get(hostId);
    const { liveness, since, reason, features } = seen?.status ?? shown;
    const models = seen?.models ?? known.models;
    // Between the connect and its first snapshot the models are those of the connection before.
    const told = seen?.models?.every((model) => model.observedAt > seen.lostAt) ?? false;
    return {
      host: known.config,
      liveness,
      since,
      reason,
      current: liveness === 'connected' && told,
      models,
      inFlight: seen?.inFlight ?? null,
      features,
      listed: seen?.listed === true || !features.includes('activity'),
      profile: seen?.profile ?? null,
    };
  }

  lastEndedAt(hostId: string, modelId: string | null): number | null {
    // Read, not flushed: this is asked inside a transaction, and what waits for its commit was told here too.
    const { recent, lastEndedAt } = this.#options.history.cursor(hostId);
    const told = this.#seen.get(hostId)?.endedAt ?? new Map<string, number>();
    const times =
      modelId === null
        ? [lastEndedAt, ...told.values()]
        : [told.get(modelId), ...recent.map((row) => (row.modelId === modelId ? row.endedAt : null))];
    return times.reduce<number | null>(
      (latest, at) =>
        at !== null && at !== undefined && at > (latest ?? Number.NEGATIVE_INFINITY) ? at : latest,
      null,
    );
  }

  onChange(listener: (hostId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  hostStatus(hostId: string, status: HostStatus): void {
    const seen = this.#of(hostId);
    const wasConnected = seen.status?.liveness === 'connected';
    if (wasConnected && status.liveness !== 'connected') {
      seen.lostAt = this.#options.clock.now();
      // A reload or restart sets another profile, and the next connect tells it.
      seen.profile = null;
      seen.listed = false;
    }
    seen.status = status;
    this.#options.sink.hostStatus(hostId, status);
    this.#tell(hostId);
  }

  models(hostId: string, models: readonly Model[]): void {
    this.#of(hostId).models = models;
    this.#options.sink.models(hostId, models);
    this.#tell(hostId);
  }

  inFlight(hostId: string, inFlight: InFlight | null): void {
    this.#of(hostId).inFlight = inFlight;
    this.#options.sink.inFlight(hostId, inFlight);
    this.#tell(hostId);
  }

  activity(hostId: string, rows: readonly ActivityRow[]): void {
    const { endedAt } = this.#of(hostId);
    for (const row of rows) {
      if (row.type !== 'request') continue;
      const known = endedAt.get(row.modelId);
      if (known === undefined && endedAt.size >= MAX_NAMES) continue;
      if (known === undefined || row.endedAt > known) endedAt.set(row.modelId, row.endedAt);
    }
    this.#options.sink.activity(hostId, rows);
  }

  modelEvents(hostId: string, events: readonly ModelEvent[]): void {
    this.#options.sink.modelEvents(hostId, events);
  }

  activityListed(hostId: string): void {
    this.#of(hostId).listed = true;
    this.#options.sink.activityListed(hostId);
    this.#tell(hostId);
  }

  profile(hostId: string, active: string | null): void {
    this.#of(hostId).profile = { active };
    this.#options.sink.profile(hostId, active);
    this.#tell(hostId);
  }

  seen(hostId: string, at: number): void {
    this.#options.sink.seen(hostId, at);
  }

  /** The registry changed: hosts that are gone are forgotten, and everybody looks again. */
  registryChanged(hostIds: readonly string[]): void {
    const kept = new Set(hostIds);
    const gone = [...this.#seen.keys()].filter((hostId) => !kept.has(hostId));
    for (const hostId of gone) this.#seen.delete(hostId);
    for (const hostId of [...gone, ...hostIds]) this.#tell(hostId);
  }

  #of(hostId: string): Seen {
    let seen = this.#seen.get(hostId);
    if (!seen) {
      seen = {
        status: null,
        models: null,
        inFlight: null,
        profile: null,
        listed: false,
        lostAt: this.#startedAt,
        endedAt: new Map(),
      };
      this.#seen.set(hostId, seen);
    }
    return seen;
  }

  #tell(hostId: string): void {
    for (const listener of this.#listeners) listener(hostId);
  }
}
