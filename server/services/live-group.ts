import type { InFlight } from '#shared/schemas/in-flight.ts';
import type { LivePresence, LiveTopic } from '#shared/schemas/live.ts';
import type { LivePerformance } from '#shared/schemas/performance.ts';
import { encodeDelta, encodeNotice, encodeSnapshot } from '#sync/live-frame.ts';
import type { LiveValues, StatusPatch } from '#sync/live-values.ts';

/** Where live frames go: a socket, and how much it has not taken yet. */
export interface LiveSubscriber {
  send(frame: Uint8Array): void;
  readonly bufferedBytes: number;
}

/** What is known of a host now. */
export interface LiveHost {
  lastSeenAt: number | null;
  inFlight: InFlight | null;
  presence: Omit<LivePresence, 'hostId'>;
  performance: LivePerformance | null;
}

/** Nobody looks at the host. */
export const NOBODY: Omit<LivePresence, 'hostId'> = { people: [], more: 0 };

/** Requests that run, where the host says it: the total, else the number of rows, else not known. */
export function inFlightCount(host: LiveHost | undefined): number | null {
  return host?.inFlight?.total ?? host?.inFlight?.requests?.length ?? null;
}

/** What a group needs of its hub. */
export interface LiveGroupOptions {
  readonly topic: LiveTopic;
  /** Hosts asked for; null is all. */
  readonly filter: readonly string[] | null;
  readonly hosts: ReadonlyMap<string, LiveHost>;
  readonly nextSeq: () => number;
  readonly shedAtBytes: number;
}

/**
 * Subscribers of one topic and the same hosts: every frame is encoded once and shared. Values are latest-wins: a host
 * that changed five times between two flushes is sent once.
 */
export class LiveGroup {
  readonly #options: LiveGroupOptions;
  /** Frames that each subscriber was not sent since its last snapshot. */
  readonly #shed = new Map<LiveSubscriber, number>();
  readonly #changed = new Set<string>();
  readonly #sentStatus = new Map<string, { lastSeenAt: number | null; inFlight: number | null }>();
  #table: readonly string[];
  #index = new Map<string, number>();
  #seq = 0;

  constructor(options: LiveGroupOptions) {
    this.#options = options;
    this.#table = [];
    this.#newTable();
  }

  get size(): number {
    return this.#shed.size;
  }

  /** Adds a subscriber and sends it the snapshot; later deltas build on it. A host that is new comes with the next flush. */
  add(subscriber: LiveSubscriber, now: number): void {
    this.#shed.set(subscriber, 0);
    subscriber.send(this.#snapshot(now));
  }

  remove(subscriber: LiveSubscriber): void {
    this.#shed.delete(subscriber);
  }

  /** Notes that a host changed or went; true when someone must be told. */
  touch(hostId: string): boolean {
    const { filter } = this.#options;
    if (filter !== null && !this.#index.has(hostId)) return false;
    this.#changed.add(hostId);
    return true;
  }

  /** Sends what changed. Returns how many frames were left out, and whether someone still waits for a snapshot. */
  flush(now: number): { readonly shed: number; readonly waiting: boolean } {
    if (this.#tableIsOutdated()) return this.#resend(now);
    const delta = this.#changed.size > 0 ? this.#delta(now) : null;
    return this.#deliver(delta, now);
  }

  #deliver(frame: Uint8Array | null, now: number): { shed: number; waiting: boolean } {
    let shed = 0;
    let waiting = false;
    let snapshot: Uint8Array | null = null;
    for (const [subscriber, missed] of this.#shed) {
      if (subscriber.bufferedBytes > this.#options.shedAtBytes) {
        waiting = true;
        if (frame === null) continue;
        shed += 1;
        this.#shed.set(subscriber, missed + 1);
      } else if (missed > 0) {
        // Deltas were left out, so only a snapshot can follow.
        snapshot ??= this.#snapshot(now);
        this.#shed.set(subscriber, 0);
        subscriber.send(encodeNotice(missed));
        subscriber.send(snapshot);
      } else if (frame !== null) {
        subscriber.send(frame);
      }
    }
    return { shed, waiting };
  }

  /** A new table, so a new snapshot for everyone. */
  #resend(now: number): { shed: number; waiting: boolean } {
    this.#newTable();
    return this.#deliver(this.#snapshot(now), now);
  }

  #tableIsOutdated(): boolean {
    const { filter, hosts } = this.#options;
    if (filter !== null) return false;
    return [...this.#changed].some((hostId) => this.#index.has(hostId) !== hosts.has(hostId));
  }

  #newTable(): void {
    this.#table = this.#options.filter ?? [...this.#options.hosts.keys()].sort();
    this.#index = new Map(this.#table.map((hostId, index) => [hostId, index]));
    this.#seq = this.#options.nextSeq();
    this.#changed.clear();
    this.#sentStatus.clear();
  }

  #snapshot(now: number): Uint8Array {
    return encodeSnapshot(
      { seq: this.#seq, at: now },
      this.#table,
      this.#values(this.#table.keys(), 'whole'),
    );
  }

  #delta(now: number): Uint8Array {
    const indexes = [...this.#changed]
      .flatMap((hostId) => this.#index.get(hostId) ?? [])
      .sort((a, b) => a - b);
    this.#changed.clear();
    return encodeDelta({ seq: this.#seq, at: now }, this.#values(indexes, 'changes'));
  }

  #values(indexes: Iterable<number>, extent: 'whole' | 'changes'): LiveValues {
    const entries = [...indexes].map((index) => ({ index, hostId: this.#table[index] ?? '' }));
    const { hosts, topic } = this.#options;
    switch (topic) {
      case 'status':
        return {
          topic,
          patches: entries.map(({ index, hostId }) => this.#statusPatch(index, hostId, extent)),
        };
      case 'in-flight':
        return {
          topic,
          patches: entries.map(({ index, hostId }) => ({
            index,
            value: hosts.get(hostId)?.inFlight ?? null,
          })),
        };
      case 'presence':
        return {
          topic,
          patches: entries.map(({ index, hostId }) => ({
            index,
            value: hosts.get(hostId)?.presence ?? NOBODY,
          })),
        };
      case 'performance':
        return {
          topic,
          patches: entries.map(({ index, hostId }) => ({
            index,
            value: hosts.get(hostId)?.performance ?? null,
          })),
        };
    }
  }

  #statusPatch(index: number, hostId: string, extent: 'whole' | 'changes'): StatusPatch {
    const host = this.#options.hosts.get(hostId);
    const now = { lastSeenAt: host?.lastSeenAt ?? null, inFlight: inFlightCount(host) };
    const sent = extent === 'changes' ? this.#sentStatus.get(hostId) : undefined;
    if (extent === 'changes') this.#sentStatus.set(hostId, now);
    return {
      index,
      ...(now.lastSeenAt === sent?.lastSeenAt ? {} : { lastSeenAt: now.lastSeenAt }),
      ...(now.inFlight === sent?.inFlight ? {} : { inFlight: now.inFlight }),
    };
  }
}
