import type { LogWish } from '#shared/schemas/live.ts';
import type { KeptLogEntry } from '#shared/schemas/log.ts';
import { encodeLogFrame, type LogFrame } from '#sync/log-frame.ts';
import type { LogSink } from '../domain/log-ports.ts';
import type { Clock } from '../domain/ports.ts';
import { HostLogs } from './host-logs.ts';
import type { LiveSubscriber } from './live-group.ts';
import { LogReader, type LogSourceState } from './log-reader.ts';
import { SHED_AT_BYTES } from './live-hub.ts';

/** Shortest time between two frames of lines. */
const PERIOD_MS = 100;
/** Models of a host whose tail is kept after nobody looks at it any more. */
const MAX_MODELS = 8;

/** What the hub works with. */
export interface LogHubOptions {
  readonly clock: Clock;
  /** Keys of ours that this host may repeat. */
  readonly secretsOf: (hostId: string) => readonly string[];
}

/**
 * Reads a log inside the server, in full as far as the tail reaches, and at its leisure: making lines fit to be shown costs
 * more than all else of a flood.
 */
export interface LogFollower {
  readonly bufferedBytes: 0;
  take(frame: LogFrame): void;
}

/** Shortest time between two frames for a {@link LogFollower}: some 1,000 lines a second of each source. */
const FOLLOWER_PERIOD_MS = 400;

/** Who reads a log: a socket, or something of ours. */
export type LogWatcher = LiveSubscriber | LogFollower;

interface Watched {
  /** What is held; filled while a host is listened to, or a model watched. */
  readonly logs: HostLogs;
  readonly readers: Map<LogWatcher, LogReader>;
  state: LogSourceState;
}

/**
 * The newest log lines of every host, for whoever comes, and of the models that somebody watches. Lines are kept as they
 * came and made fit to be shown when they first are: a flood that nobody looks at costs its cutting into lines.
 */
export class LogHub implements LogSink {
  readonly #options: LogHubOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #wishes = new Map<LogWatcher, LogWish>();
  readonly #listeners = new Set<(wish: LogWish) => void>();
  /** When each follower was given lines last. */
  readonly #followedAt = new WeakMap<LogFollower, number>();
  #cancel: (() => void) | null = null;
  #lastFlushAt = 0;

  constructor(options: LogHubOptions) {
    this.#options = options;
  }

  append(hostId: string, chunk: Parameters<LogSink['append']>[1]): void {
    this.appendTo({ hostId, modelId: null }, chunk);
  }

  dropped(hostId: string, count: number): void {
    this.droppedFrom({ hostId, modelId: null }, count);
  }

  /** Adds what came of a host's or a model's log. */
  appendTo(wish: LogWish, chunk: Parameters<LogSink['append']>[1]): void {
    const watched = this.#of(wish);
    if (watched.logs.append(chunk, this.#options.clock.now())) this.#news(watched);
  }

  droppedFrom(wish: LogWish, count: number): void {
    const watched = this.#of(wish);
    watched.logs.dropped(count, this.#options.clock.now());
    this.#news(watched);
  }

  /** How the source is now; its readers are told. */
  setState(wish: LogWish, state: LogSourceState): void {
    const watched = this.#of(wish);
    if (watched.state.state === state.state && watched.state.detail === state.detail) return;
    watched.state = state;
    for (const reader of watched.readers.values()) reader.stateChanged();
    this.#news(watched);
  }

  /** Lines of a host that were kept before this process; what comes follows them. */
  seed(hostId: string, entries: readonly KeptLogEntry[]): void {
    this.#of({ hostId, modelId: null }).logs.seed(entries);
  }

  /** Sends the tail of what is wished for (not `fromNow`), and then what comes; null ends it. */
  watch(subscriber: LogWatcher, wish: LogWish | null, { fromNow = false } = {}): void {
    const before = this.#wishes.get(subscriber);
    if (before && wish && keyOf(before) === keyOf(wish)) return;
    if (before) {
      this.#wishes.delete(subscriber);
      this.#leave(subscriber, before);
      this.#tell(before);
    }
    if (wish === null) return;
    this.#wishes.set(subscriber, wish);
    const watched = this.#of(wish);
    const reader = new LogReader(watched.logs, { fromNow, inFull: 'take' in subscriber });
    watched.readers.set(subscriber, reader);
    this.#tell(wish);
    this.#news(watched);
  }

  /** True while somebody watches it. */
  isWatched(wish: LogWish): boolean {
    return (this.#watched.get(keyOf(wish))?.readers.size ?? 0) > 0;
  }

  /** Called when somebody begins or ends to watch. */
  onWishes(listener: (wish: LogWish) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The host was removed from Drover. */
  remove(hostId: string): void {
    for (const [key, { readers }] of this.#watched) {
      if (key.startsWith(`${hostId} `) && readers.size === 0) this.#watched.delete(key);
    }
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#wishes.clear();
    this.#watched.clear();
  }

  /** Wishes name anything: what never brought a line is forgotten with its last reader. */
  #leave(subscriber: LogWatcher, wish: LogWish): void {
    const watched = this.#watched.get(keyOf(wish));
    watched?.readers.delete(subscriber);
    if (watched?.readers.size === 0 && watched.logs.sources.size === 0) this.#watched.delete(keyOf(wish));
  }

  /** How many logs are held. */
  get size(): number {
    return this.#watched.size;
  }

  #of(wish: LogWish): Watched {
    const key = keyOf(wish);
    const known = this.#watched.get(key);
    if (known) return known;
    if (wish.modelId !== null) this.#forgetModels(wish.hostId);
    const watched: Watched = {
      logs: new HostLogs(),
      readers: new Map(),
      state: { state: 'not-connected', detail: null },
    };
    this.#watched.set(key, watched);
    return watched;
  }

  #forgetModels(hostId: string): void {
    const unseen = [...this.#watched].filter(
      ([key, { readers }]) =>
        key.startsWith(`${hostId} `) && key !== keyOf({ hostId, modelId: null }) && readers.size === 0,
    );
    for (const [key] of unseen.slice(0, Math.max(0, unseen.length - MAX_MODELS + 1)))
      this.#watched.delete(key);
  }

  #tell(wish: LogWish): void {
    for (const listener of this.#listeners) listener(wish);
  }

  #news(watched: Watched): void {
    if (watched.readers.size > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#cancel) return;
    const { clock } = this.#options;
    const delayMs = Math.min(PERIOD_MS, Math.max(0, this.#lastFlushAt + PERIOD_MS - clock.now()));
    this.#cancel = clock.after(delayMs, () => {
      this.#cancel = null;
      this.#flush();
    });
  }

  #flush(): void {
    const now = this.#options.clock.now();
    this.#lastFlushAt = now;
    let isMore = false;
    for (const [subscriber, wish] of this.#wishes) {
      const watched = this.#watched.get(keyOf(wish));
      const reader = watched?.readers.get(subscriber);
      if (!watched || !reader) continue;
      // Shed first: what waits here is counted when the reader has caught up.
      if (subscriber.bufferedBytes > SHED_AT_BYTES) {
        isMore = true;
        continue;
      }
      const isFollower = 'take' in subscriber;
      if (isFollower && now - (this.#followedAt.get(subscriber) ?? 0) < FOLLOWER_PERIOD_MS) {
        isMore = true;
        continue;
      }
      if (isFollower) this.#followedAt.set(subscriber, now);
      const taken = reader.take(this.#options.secretsOf(wish.hostId));
      isMore ||= taken.hasMore;
      if (!taken.hasNews) continue;
      const { begins, entries } = taken;
      const frame: LogFrame = { ...wish, ...watched.state, begins, at: now, entries };
      if (isFollower) subscriber.take(frame);
      else subscriber.send(encodeLogFrame(frame));
    }
    if (isMore) this.#schedule();
  }
}

function keyOf({ hostId, modelId }: LogWish): string {
  return `${hostId} ${modelId ?? ''}`;
}
