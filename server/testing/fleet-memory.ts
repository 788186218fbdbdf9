import type { ActivityGap, ActivityRequest, ActivityRow } from '#shared/schemas/activity.ts';
import type { InFlight } from '#shared/schemas/in-flight.ts';
import type { Model, ModelEvent } from '#shared/schemas/model.ts';
import type { ActivityCursor, ConnectorStore, FleetSink, HostStatus } from '../domain/ports.ts';
import { rowNames } from './observed-rows.ts';

/** What connectors wrote, in memory: a sink that also answers as the store they read back from. */
export class FleetMemory implements FleetSink, ConnectorStore {
  readonly statuses = new Map<string, HostStatus[]>();
  readonly modelsOf = new Map<string, readonly Model[]>();
  readonly rows: ActivityRow[] = [];
  readonly events: ModelEvent[] = [];
  readonly inFlights: (InFlight | null)[] = [];
  listings = 0;
  readonly profiles: (string | null)[] = [];
  readonly seenAt = new Map<string, number>();
  readonly #waiting = new Set<() => void>();

  hostStatus(hostId: string): HostStatus | null;
  hostStatus(hostId: string, status: HostStatus): void;
  hostStatus(hostId: string, status?: HostStatus): HostStatus | null {
    const known = this.statuses.get(hostId) ?? [];
    if (!status) return known.at(-1) ?? null;
    this.statuses.set(hostId, [...known, status]);
    this.#tell();
    return null;
  }

  models(hostId: string): readonly Model[];
  models(hostId: string, models: readonly Model[]): void;
  models(hostId: string, models?: readonly Model[]): readonly Model[] {
    if (models) {
      this.modelsOf.set(hostId, models);
      this.#tell();
    }
    return this.modelsOf.get(hostId) ?? [];
  }

  activity(_hostId: string, rows: readonly ActivityRow[]): void {
    for (const row of rows) if (!this.rows.some((held) => isSameRow(held, row))) this.rows.push(row);
    this.#tell();
  }

  modelEvents(_hostId: string, events: readonly ModelEvent[]): void {
    this.events.push(...events);
    this.#tell();
  }

  inFlight(_hostId: string, inFlight: InFlight | null): void {
    this.inFlights.push(inFlight);
    this.#tell();
  }

  activityListed(): void {
    this.listings += 1;
    this.#tell();
  }

  profile(_hostId: string, active: string | null): void {
    this.profiles.push(active);
    this.#tell();
  }

  seen(hostId: string, at: number): void {
    this.seenAt.set(hostId, at);
  }

  activityCursor(hostId: string): ActivityCursor {
    const requests = this.requests(hostId);
    const idEpoch = Math.max(0, ...requests.map((row) => row.idEpoch));
    const own = requests.filter((row) => row.idEpoch === idEpoch).sort((a, b) => a.id - b.id);
    const last = own.at(-1);
    const recent = own.slice(-1_000).map(({ type: _type, hostId: _host, idEpoch: _epoch, ...row }) => row);
    return { idEpoch, lastId: last?.id ?? null, lastEndedAt: last?.endedAt ?? null, recent };
  }

  /** Request rows of a host, as they were written. */
  requests(hostId: string): ActivityRequest[] {
    return this.rows.filter((row): row is ActivityRequest => row.type === 'request' && row.hostId === hostId);
  }

  gaps(): ActivityGap[] {
    return this.rows.filter((row): row is ActivityGap => row.type === 'gap');
  }

  /** Rows as short words, in the order they were written: `0/7`, `gap 0/8…9 ring_wrapped`. */
  rowNames(): string[] {
    return rowNames(this.rows);
  }

  /** Events as short words, in the order they were written. */
  eventNames(): string[] {
    return this.events.map(
      ({ modelId, from, to, reason }) =>
        `${modelId} ${from ?? '?'}→${to}${reason === null ? '' : ` (${reason})`}`,
    );
  }

  /** Liveness of a host over time, without repeats. */
  livenessWords(hostId: string): string[] {
    const words = (this.statuses.get(hostId) ?? []).map((status) => status.liveness);
    return words.filter((word, index) => word !== words[index - 1]);
  }

  /** Waits until `condition` holds: looked at after everything that is written, and now and then for what is not. */
  async until(condition: () => boolean, timeoutMs = 10_000): Promise<void> {
    if (condition()) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = () => {
      if (condition()) resolve();
    };
    const timer = setTimeout(() => reject(new Error('what was waited for did not happen')), timeoutMs);
    const glance = setInterval(look, 20);
    this.#waiting.add(look);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      clearInterval(glance);
      this.#waiting.delete(look);
    }
  }

  #tell(): void {
    for (const look of this.#waiting) look();
  }
}

function isSameRow(a: ActivityRow, b: ActivityRow): boolean {
  if (a.hostId !== b.hostId || a.idEpoch !== b.idEpoch) return false;
  if (a.type === 'request') return b.type === 'request' && a.id === b.id;
  return b.type === 'gap' && a.fromId === b.fromId && a.toId === b.toId && a.endedAt === b.endedAt;
}
