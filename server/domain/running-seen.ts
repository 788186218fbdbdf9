import type { InFlightEvent } from './in-flight-view.ts';
import type { RunningSeen } from './source-match.ts';
import type { ObservedInFlight } from './upstream-event.ts';

/** Ended requests are remembered for their rows, which may come late: a listing that fails is tried again. */
const KEEP_ENDED_MS = 600_000;
/** One that was running when the stream broke, or whose removal was lost. */
const KEEP_SILENT_MS = 1_800_000;
const MAX_KEPT = 2_000;

interface Kept {
  readonly request: ObservedInFlight;
  readonly heardAt: number;
  /** When its removal came, by our clock; null: it runs, or nobody said otherwise. */
  readonly endedAt: number | null;
}

/**
 * The requests of one host that were seen running, kept beyond their end until their rows have come. Over a reconnect too:
 * a request is the same when id, model and start are. Only what tells requests apart is kept, no header.
 */
export class RunningSeenLog {
  readonly #kept = new Map<string, Kept>();
  /** Keys by the host's id, of those that run on this connection. */
  readonly #open = new Map<string, string>();

  /** A new stream: ids of the last one mean nothing any more. What ran on is told by its snapshot. */
  begin(): void {
    this.#open.clear();
  }

  /** One message of the stream; `now` is our clock. */
  observe(event: InFlightEvent, now: number): void {
    switch (event.type) {
      case 'in-flight-total':
        return;
      case 'in-flight-snapshot': {
        const present = new Set(event.requests.map((request) => request.id));
        for (const id of this.#open.keys()) if (!present.has(id)) this.#end(id, now);
        for (const request of event.requests) this.#put(request, now);
        break;
      }
      case 'in-flight-upsert':
        this.#put(event.request, now);
        break;
      case 'in-flight-remove':
        this.#end(event.id, now);
    }
    this.#prune(now);
  }

  /** Requests whose rows have come are nobody else's. */
  settle(keys: readonly string[]): void {
    for (const key of keys) this.#kept.delete(key);
  }

  /** What rows may have been, as of `now`. */
  seen(now: number): readonly RunningSeen[] {
    return Array.from(this.#kept, ([key, { request, heardAt, endedAt }]) => ({
      key,
      modelId: request.modelId,
      path: request.path,
      startedAt: request.startedAtHost,
      // Hosts before v240 do not tell how long it ran; they do not tell the source either.
      ranMs:
        request.elapsedMs === null
          ? null
          : Math.max(0, request.elapsedMs + (endedAt ?? this.#aliveAt(key, heardAt, now)) - heardAt),
      ended: endedAt !== null,
      source: request.source,
      isNamed: request.isNamed,
    }));
  }

  /** Until when it is known to have run: now while its stream is open, else when it was last heard of. */
  #aliveAt(key: string, heardAt: number, now: number): number {
    const id = this.#kept.get(key)?.request.id;
    return id !== undefined && this.#open.get(id) === key ? now : heardAt;
  }

  #put(request: ObservedInFlight, now: number): void {
    const key = `${request.id} ${request.startedAtHost ?? ''} ${request.modelId}`;
    const known = this.#open.get(request.id);
    // The id counts anew within one connection when the host reads its config again.
    if (known !== undefined && known !== key) this.#end(request.id, now);
    this.#open.set(request.id, key);
    this.#kept.delete(key);
    this.#kept.set(key, { request, heardAt: now, endedAt: null });
  }

  #end(id: string, now: number): void {
    const key = this.#open.get(id);
    this.#open.delete(id);
    const kept = key === undefined ? undefined : this.#kept.get(key);
    if (key !== undefined && kept) this.#kept.set(key, { ...kept, endedAt: now });
  }

  #prune(now: number): void {
    for (const [key, { request, heardAt, endedAt }] of this.#kept) {
      const tooOld = endedAt === null ? now - heardAt > KEEP_SILENT_MS : now - endedAt > KEEP_ENDED_MS;
      // The one heard of longest ago stands first.
      if (!tooOld && this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(key);
      if (this.#open.get(request.id) === key) this.#open.delete(request.id);
    }
  }
}
