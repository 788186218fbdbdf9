import type { InFlight } from '#shared/schemas/in-flight.ts';
import { liveNews } from '#shared/schemas/live.ts';
import type { LiveNews, LivePresence, LiveStatus, LiveTopic } from '#shared/schemas/live.ts';
import type { LivePerformance } from '#shared/schemas/performance.ts';
import { ByteReader, CorruptBytesError } from './bytes.ts';
import { LIVE_KIND, LIVE_TOPICS } from './live-frame.ts';
import { readPerformances } from './live-performance.ts';
import { readPresences } from './live-presence.ts';
import { readInFlights, readStatuses } from './live-values.ts';

/** What a live frame meant to the client. */
export type LiveEvent =
  /** Values of these hosts changed; `at` is collector time. */
  | {
      readonly type: 'changed';
      readonly topic: LiveTopic;
      readonly hostIds: readonly string[];
      readonly at: number;
    }
  /** The server left out this many frames because this client reads too slowly; a snapshot follows. */
  | { readonly type: 'shed'; readonly count: number }
  /** Drop the local copy of this document and fetch it anew: it holds what the server refused. */
  | { readonly type: 'discard'; readonly document: string }
  /** Ask for this again: it changed. */
  | { readonly type: 'news'; readonly news: LiveNews }
  /** Log lines; `body` is for `decodeLogFrame`, which only the page that shows logs needs. */
  | { readonly type: 'logs'; readonly body: Uint8Array }
  | { readonly type: 'ignored'; readonly why: 'stale' | 'unknown' | 'corrupt' };

interface Table {
  readonly seq: number;
  readonly hosts: readonly string[];
}

/** Turns live frames into current values. One per socket; {@link LiveReader.reset} when the socket goes. */
export class LiveReader {
  readonly #status = new Map<string, LiveStatus>();
  readonly #inFlight = new Map<string, InFlight>();
  readonly #presence = new Map<string, LivePresence>();
  readonly #performance = new Map<string, LivePerformance>();
  readonly #tables = new Map<LiveTopic, Table>();

  /** Status by host id. Each change makes a new object. */
  get status(): ReadonlyMap<string, LiveStatus> {
    return this.#status;
  }

  /** What runs by host id; a host is absent while nothing is known. */
  get inFlight(): ReadonlyMap<string, InFlight> {
    return this.#inFlight;
  }

  /** Who looks at what, by host id; a host is absent while nobody does. */
  get presence(): ReadonlyMap<string, LivePresence> {
    return this.#presence;
  }

  /** The newest samples by host id; a host is absent while there are none. */
  get performance(): ReadonlyMap<string, LivePerformance> {
    return this.#performance;
  }

  /** Forgets everything: without a socket nothing is live. */
  reset(): void {
    this.#status.clear();
    this.#inFlight.clear();
    this.#presence.clear();
    this.#performance.clear();
    this.#tables.clear();
  }

  /** Takes the body of a type 100 message, after the type. Never throws; a corrupt frame changes nothing. */
  accept(body: Uint8Array): LiveEvent {
    const input = new ByteReader(body);
    try {
      switch (input.uint()) {
        case LIVE_KIND.snapshot:
          return this.#topic(input, 'snapshot');
        case LIVE_KIND.delta:
          return this.#topic(input, 'delta');
        case LIVE_KIND.notice:
          return { type: 'shed', count: input.uint() };
        case LIVE_KIND.discard:
          return { type: 'discard', document: input.string() };
        case LIVE_KIND.news:
          return readNews(input);
        case LIVE_KIND.logs:
          return { type: 'logs', body: body.subarray(1) };
        default:
          return { type: 'ignored', why: 'unknown' };
      }
    } catch (error) {
      if (error instanceof CorruptBytesError) return { type: 'ignored', why: 'corrupt' };
      throw error;
    }
  }

  #topic(input: ByteReader, kind: 'snapshot' | 'delta'): LiveEvent {
    const topic = LIVE_TOPICS[input.uint()];
    if (topic === undefined) return { type: 'ignored', why: 'unknown' };
    const seq = input.uint();
    const at = input.int();
    const table = kind === 'snapshot' ? readTable(input, seq) : this.#tables.get(topic);
    if (!table || table.seq !== seq) return { type: 'ignored', why: 'stale' };
    const apply = this.#read(topic, input, at, table);
    const dropped = kind === 'snapshot' ? this.#replaceTable(topic, table) : [];
    return { type: 'changed', topic, hostIds: [...dropped, ...apply()], at };
  }

  /** Starts a topic anew; returns hosts that the new table no longer names. */
  #replaceTable(topic: LiveTopic, table: Table): string[] {
    this.#tables.set(topic, table);
    const values = this.#valuesOf(topic);
    const named = new Set(table.hosts);
    const dropped = [...values.keys()].filter((hostId) => !named.has(hostId));
    values.clear();
    return dropped;
  }

  #read(topic: LiveTopic, input: ByteReader, at: number, table: Table): () => string[] {
    switch (topic) {
      case 'status':
        return this.#readStatus(input, at, table);
      case 'in-flight':
        return this.#readInFlight(input, at, table);
      case 'presence':
        return this.#readPresence(input, at, table);
      case 'performance':
        return this.#readPerformance(input, at, table);
    }
  }

  #valuesOf(topic: LiveTopic): Map<string, unknown> {
    switch (topic) {
      case 'status':
        return this.#status;
      case 'in-flight':
        return this.#inFlight;
      case 'presence':
        return this.#presence;
      case 'performance':
        return this.#performance;
    }
  }

  /** Reads everything before anything is changed; the returned function applies it and names the hosts. */
  #readStatus(input: ByteReader, at: number, table: Table): () => string[] {
    const patches = readStatuses(input, at).map(({ index, ...patch }) => ({
      hostId: hostOf(table, index),
      patch,
    }));
    return () =>
      patches.map(({ hostId, patch }) => {
        const known = this.#status.get(hostId) ?? { hostId, lastSeenAt: null, inFlight: null };
        this.#status.set(hostId, { ...known, ...patch });
        return hostId;
      });
  }

  #readInFlight(input: ByteReader, at: number, table: Table): () => string[] {
    const patches = readInFlights(input, at).map(({ index, value }) => ({
      hostId: hostOf(table, index),
      value,
    }));
    return () =>
      patches.map(({ hostId, value }) => {
        if (value === null) this.#inFlight.delete(hostId);
        else this.#inFlight.set(hostId, { hostId, ...value });
        return hostId;
      });
  }

  #readPresence(input: ByteReader, at: number, table: Table): () => string[] {
    const patches = readPresences(input, at).map(({ index, value }) => ({
      hostId: hostOf(table, index),
      value,
    }));
    return () =>
      patches.map(({ hostId, value }) => {
        if (value.people.length === 0) this.#presence.delete(hostId);
        else this.#presence.set(hostId, { hostId, ...value });
        return hostId;
      });
  }

  #readPerformance(input: ByteReader, at: number, table: Table): () => string[] {
    const patches = readPerformances(input, at).map(({ index, value }) => ({
      hostId: hostOf(table, index),
      value,
    }));
    return () =>
      patches.map(({ hostId, value }) => {
        if (value === null) this.#performance.delete(hostId);
        else this.#performance.set(hostId, { hostId, ...value });
        return hostId;
      });
  }
}

function readNews(input: ByteReader): LiveEvent {
  const news = liveNews.safeParse(input.string()).data;
  return news === undefined ? { type: 'ignored', why: 'unknown' } : { type: 'news', news };
}

function readTable(input: ByteReader, seq: number): Table {
  const count = input.uint();
  if (count > input.remaining) throw new CorruptBytesError('more hosts than bytes');
  return { seq, hosts: Array.from({ length: count }, () => input.string()) };
}

function hostOf(table: Table, index: number): string {
  const host = table.hosts[index];
  if (host === undefined) throw new CorruptBytesError('a host past the end of the table');
  return host;
}
