import type { EraTraits } from './era.ts';
import type { HostTime } from './host-time.ts';
import { goJson } from './wire/go-format.ts';

/** What is known of a request when it starts. */
export interface InFlightStart {
  readonly model: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly remoteIp: string;
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Called when a client cancels it by id. */
  readonly cancel: () => void;
}

/** A running request. */
export interface InFlightEntry {
  readonly id: string;
  /** Response headers arrived. */
  headers(headers: Readonly<Record<string, string>>): void;
  /** Body bytes were written. */
  bytes(count: number): void;
  end(): void;
}

interface Row extends InFlightStart {
  readonly id: string;
  readonly stamp: string;
  readonly startedAt: number;
  responseHeaders: Readonly<Record<string, string>>;
  responseBytes: number;
  lastSentAt: number;
}

const UPSERT_EVERY_MS = 250;

/** Requests that run now, and the era's messages about them. */
export class InFlight {
  readonly #traits: EraTraits;
  readonly #time: HostTime;
  /** Messages are made only when somebody hears them. */
  readonly #send: (makeJson: () => string) => void;
  #rows = new Map<string, Row>();
  #nextId = 1;

  constructor(traits: EraTraits, time: HostTime, send: (makeJson: () => string) => void) {
    this.#traits = traits;
    this.#time = time;
    this.#send = send;
  }

  get size(): number {
    return this.#rows.size;
  }

  start(start: InFlightStart): InFlightEntry {
    const id = String(this.#nextId);
    this.#nextId += 1;
    const row: Row = {
      ...start,
      id,
      stamp: this.#time.nanoStamp(),
      startedAt: this.#time.clock.now(),
      responseHeaders: {},
      responseBytes: 0,
      lastSentAt: -Infinity,
    };
    this.#rows.set(id, row);
    this.#started(row);
    return {
      id,
      headers: (headers) => {
        row.responseHeaders = headers;
        this.#upsert(row);
      },
      bytes: (count) => {
        row.responseBytes += count;
        if (this.#time.clock.now() - row.lastSentAt >= UPSERT_EVERY_MS) this.#upsert(row);
      },
      end: () => {
        if (!this.#rows.delete(id)) return;
        this.#ended(row);
      },
    };
  }

  /** Cancels by id; false when there is none. */
  cancel(id: string): boolean {
    const row = this.#rows.get(id);
    row?.cancel();
    return row !== undefined;
  }

  /** Data of the message every new client gets; null before v192. */
  snapshot(): string | null {
    switch (this.#traits.inFlight) {
      case 'none':
        return null;
      case 'legacy-total':
        return goJson({ total: 0 });
      case 'total':
        return this.#count();
      case 'snapshot':
        return this.#full();
      case 'operations':
        return goJson(
          this.#rows.size === 0
            ? { operation: 'snapshot' }
            : { operation: 'snapshot', requests: [...this.#rows.values()].map((row) => this.#wire(row)) },
        );
    }
  }

  /** A new server object counts from one again; requests of the old one end unseen. */
  reset(): void {
    this.#rows.clear();
    this.#nextId = 1;
  }

  // Up to v217 the number is wrong by construction: 1 at any start, 0 at any end.
  #started(row: Row): void {
    if (this.#traits.inFlight === 'legacy-total') this.#send(() => goJson({ total: 1 }));
    else if (this.#traits.inFlight === 'total') this.#sendCount();
    else if (this.#traits.inFlight === 'snapshot') this.#send(() => this.#full());
    else this.#upsert(row);
  }

  #ended(row: Row): void {
    if (this.#traits.inFlight === 'legacy-total') this.#send(() => goJson({ total: 0 }));
    else if (this.#traits.inFlight === 'total') this.#sendCount();
    else if (this.#traits.inFlight === 'snapshot') this.#send(() => this.#full());
    else if (this.#traits.inFlight === 'operations') {
      this.#send(() => goJson({ operation: 'remove', id: row.id }));
    }
  }

  #upsert(row: Row): void {
    if (this.#traits.inFlight !== 'operations' || !this.#rows.has(row.id)) return;
    row.lastSentAt = this.#time.clock.now();
    this.#send(() => goJson({ operation: 'upsert', request: this.#wire(row) }));
  }

  /** Counted when it changes, not when it is delivered: each request is one up and one down. */
  #sendCount(): void {
    const json = this.#count();
    this.#send(() => json);
  }

  #count(): string {
    return goJson({ total: this.#rows.size });
  }

  #full(): string {
    return goJson({ requests: [...this.#rows.values()].map((row) => this.#wire(row)) });
  }

  #wire(row: Row): Readonly<Record<string, unknown>> {
    const base = {
      id: row.id,
      timestamp: row.stamp,
      model: row.model,
      req_path: row.path,
      method: row.method,
      ...(row.metadata === null ? {} : { metadata: row.metadata }),
    };
    if (this.#traits.inFlight === 'snapshot') return base;
    return {
      ...base,
      req_headers: row.headers,
      remote_ip: row.remoteIp,
      resp_headers: row.responseHeaders,
      resp_bytes: row.responseBytes,
      elapsed_ms: Math.max(0, Math.round(this.#time.clock.now() - row.startedAt)),
    };
  }
}
