import {
  initialConnection,
  statusOf,
  type ConnectionCommand,
  type ConnectionEvent,
  type ConnectionState,
  type ConnectionTimer,
} from '../domain/connection-state.ts';
import { transition } from '../domain/connection-transitions.ts';
import type {
  Clock,
  ConnectorStore,
  EventStreamListener,
  FleetSink,
  HostConfig,
  HostFeatures,
  HostStatus,
  LlamaSwapClient,
  Log,
  UpstreamEvent,
  UpstreamResult,
} from '../domain/ports.ts';
import type { LogSink } from '../domain/log-ports.ts';
import type { PerformanceSink } from '../domain/performance-ports.ts';
import { PING_DEADLINE_MS } from '../domain/stream-watch.ts';
import { HostFeed } from './host-feed.ts';
import { StreamCheck } from './stream-check.ts';

/** `lastSeenAt` is told to viewers at most this often. */
const SEEN_PERIOD_MS = 1_000;
/** Bytes that follow bytes within this tell nothing new. */
const BYTES_PERIOD_MS = 100;
/** An access line, as every version writes it; whether they come tells the host's log level. */
const ACCESS_LINE = /\bRequest \S+ "[A-Z]+ \//;

/** What a connector works with. */
export interface ConnectorOptions {
  readonly host: HostConfig;
  readonly client: LlamaSwapClient;
  readonly sink: FleetSink;
  /** Null: samples are not asked for. */
  readonly performance: PerformanceSink | null;
  readonly store: ConnectorStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Where its log lines go; null: nowhere. */
  readonly logs: LogSink | null;
  /** 0 ≤ random() < 1. */
  readonly random: () => number;
}

interface OpenStream {
  readonly abort: AbortController;
  bytesAt: number;
  accessLogSaid: boolean;
  /** Sources whose tail came, as the first message of each. */
  readonly logsBegun: Set<string>;
}

const EVENT_OF_TIMER = {
  retry: { type: 'retryDue' },
  tick: { type: 'tick' },
  open: { type: 'openOverdue' },
} as const;

/** Listens to one host: does what the connection's state machine says, and feeds what the host tells into the sink. */
export class Connector {
  readonly #options: ConnectorOptions;
  readonly #feed: HostFeed;
  readonly #check: StreamCheck;
  readonly #streams = new Map<number, OpenStream>();
  readonly #timers = new Map<ConnectionTimer, () => void>();
  readonly #queue: ConnectionEvent[] = [];
  #draining = false;
  #stopped = false;
  #state: ConnectionState;
  /** Number of the stream whose events count. */
  #current = 0;
  #published = '';
  #seenSaidAt = 0;
  #logsDropped = 0;

  constructor(options: ConnectorOptions) {
    this.#options = options;
    const { host, store, clock, client } = options;
    this.#state = initialConnection(store.hostStatus(host.id), clock.now());
    this.#feed = new HostFeed({ ...options, hostId: host.id, onProfiles: () => this.#publish() });
    this.#check = new StreamCheck(client, clock);
  }

  /** The way to the host as it is now. */
  get status(): HostStatus {
    return { ...statusOf(this.#state), profiles: this.#feed.profiles };
  }

  /** Frames of logs that were cut out unread because parsing lagged. */
  get logsDropped(): number {
    return this.#logsDropped;
  }

  /** Begins to listen; a paused host is left alone. */
  start(): void {
    this.#dispatch({ type: this.#options.host.paused ? 'pause' : 'resume' });
  }

  /** Closes everything. The status stays what it was: stopping the collector says nothing of the host. */
  stop(): void {
    this.#stopped = true;
    this.#feed.drop();
    this.#dispatch({ type: 'pause' });
  }

  /** The whole process stood still: every socket is opened anew. */
  woke(): void {
    this.#dispatch({ type: 'woke' });
  }

  /** Someone changed the registry: a key that was refused may be another one now. */
  keysMayHaveChanged(): void {
    if (this.#state.kind === 'unauthorized') this.#dispatch({ type: 'retryDue' });
  }

  /** Somebody does something that may bring the host back: it is not worth waiting for the next trial. */
  lookAgain(): void {
    if (this.#state.kind === 'asleep') this.#dispatch({ type: 'retryDue' });
  }

  /** The store recovered and may have lost what it was given. */
  resync(): void {
    this.#published = '';
    this.#publish();
    this.#feed.reload();
  }

  #dispatch(event: ConnectionEvent): void {
    this.#queue.push(event);
    // A command may bring the next event before it returns; they are taken one after the other.
    if (this.#draining) return;
    this.#draining = true;
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) this.#step(next);
    } finally {
      this.#draining = false;
    }
  }

  #step(event: ConnectionEvent): void {
    const { clock, random } = this.#options;
    const { state, commands } = transition(this.#state, event, { now: clock.now(), jitter: random() });
    this.#state = state;
    this.#publish();
    for (const command of commands) this.#run(command);
  }

  #run(command: ConnectionCommand): void {
    switch (command.do) {
      case 'openStream':
        return this.#openStream(command.stream);
      case 'closeStream':
        this.#streams.get(command.stream)?.abort.abort();
        this.#streams.delete(command.stream);
        return;
      case 'beginEpoch':
        this.#current = command.stream;
        return this.#feed.begin();
      case 'synchronise':
        return this.#feed.synchronise(command.features, this.#state.link.clockOffsetMs);
      case 'endEpoch':
        this.#current = 0;
        return this.#feed.end(command);
      case 'probe':
        return this.#ask(command.stream, 'probing the host', (signal) => this.#probe(command.stream, signal));
      case 'ping':
        return this.#ask(command.stream, 'a ping', (signal) => this.#ping(command.stream, signal));
      case 'checkStream':
        return this.#ask(command.stream, 'checking the stream', async (signal) => {
          const outcome = await this.#check.run(signal);
          if (!signal.aborted) this.#dispatch({ type: 'checked', stream: command.stream, outcome });
        });
      case 'schedule':
        return this.#schedule(command.timer, command.delayMs);
      case 'cancel':
        this.#timers.get(command.timer)?.();
        this.#timers.delete(command.timer);
    }
  }

  #openStream(number: number): void {
    const stream: OpenStream = {
      abort: new AbortController(),
      bytesAt: 0,
      accessLogSaid: false,
      logsBegun: new Set(),
    };
    this.#streams.set(number, stream);
    this.#options.client.openEvents(this.#listener(number, stream), stream.abort.signal);
  }

  #listener(number: number, stream: OpenStream): EventStreamListener {
    return {
      onOpen: ({ clockOffsetMs }) => this.#dispatch({ type: 'opened', stream: number, clockOffsetMs }),
      onBytes: () => {
        const now = this.#options.clock.now();
        if (now - stream.bytesAt < BYTES_PERIOD_MS) return;
        stream.bytesAt = now;
        this.#dispatch({ type: 'bytes', stream: number });
      },
      onEvent: (event) => this.#onEvent(number, stream, event),
      onLogsDropped: (count) => {
        this.#logsDropped += count;
        this.#options.logs?.dropped(this.#options.host.id, count);
      },
      onClosed: (end) => {
        this.#streams.delete(number);
        this.#dispatch({ type: 'closed', stream: number, end });
      },
    };
  }

  #onEvent(number: number, stream: OpenStream, event: UpstreamEvent): void {
    if (number !== this.#current) return;
    if (event.type === 'log') {
      this.#check.onLog(event.text);
      const { source, text } = event;
      const isHistory = !stream.logsBegun.has(source);
      stream.logsBegun.add(source);
      this.#options.logs?.append(this.#options.host.id, { source, text, isHistory });
      if (!stream.accessLogSaid && event.source === 'proxy' && ACCESS_LINE.test(event.text)) {
        stream.accessLogSaid = true;
        this.#dispatch({ type: 'accessLog', stream: number });
      }
    }
    this.#feed.onEvent(event);
  }

  async #probe(number: number, signal: AbortSignal): Promise<void> {
    const result: UpstreamResult<HostFeatures> = await this.#options.client.probe(
      this.#state.link.features,
      signal,
    );
    if (!signal.aborted) this.#dispatch({ type: 'probed', stream: number, result });
  }

  async #ping(number: number, signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#options;
    const deadline = new AbortController();
    const cancel = clock.after(PING_DEADLINE_MS, () => deadline.abort());
    const late = new Promise<UpstreamResult<null>>((resolve) => {
      deadline.signal.addEventListener('abort', () =>
        resolve({
          ok: false,
          failure: { kind: 'timeout', detail: `no answer in ${PING_DEADLINE_MS / 1_000} s` },
        }),
      );
    });
    const both = AbortSignal.any([signal, deadline.signal]);
    const result = await Promise.race([client.ping(this.#state.link.features, both), late]).finally(cancel);
    if (!signal.aborted) this.#dispatch({ type: 'pinged', stream: number, result });
  }

  /** Runs a request that belongs to a stream and ends with it. */
  #ask(number: number, what: string, request: (signal: AbortSignal) => Promise<void>): void {
    const signal = this.#streams.get(number)?.abort.signal;
    if (!signal) return;
    request(signal).catch((error: unknown) => {
      // A client reports failures as values: this is a fault of ours. The stream is given up, the host tried again.
      this.#options.log.error({ hostId: this.#options.host.id, error }, `${what} threw`);
      const failure = { kind: 'malformed', detail: `${what} failed inside Drover` } as const;
      this.#dispatch({ type: 'closed', stream: number, end: { why: 'failed', failure } });
    });
  }

  #schedule(timer: ConnectionTimer, delayMs: number): void {
    this.#timers.get(timer)?.();
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#timers.delete(timer);
      this.#dispatch(EVENT_OF_TIMER[timer]);
    });
    this.#timers.set(timer, cancel);
  }

  #publish(): void {
    if (this.#stopped) return;
    const { host, sink, clock } = this.#options;
    const status = this.status;
    // When the host was last seen goes to viewers live; written down it would be a row every second.
    const words = JSON.stringify({ ...status, lastSeenAt: null });
    if (words !== this.#published) {
      this.#published = words;
      sink.hostStatus(host.id, status);
    }
    if (status.lastSeenAt === null || status.lastSeenAt - this.#seenSaidAt < SEEN_PERIOD_MS) return;
    if (status.lastSeenAt > clock.now()) return;
    this.#seenSaidAt = status.lastSeenAt;
    sink.seen(host.id, status.lastSeenAt);
  }
}
