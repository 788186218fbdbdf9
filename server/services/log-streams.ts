import type { LogWish } from '#shared/schemas/live.ts';
import type { HostObserver } from '../domain/host-facts.ts';
import type { LogStreamClient, LogStreamListener } from '../domain/log-ports.ts';
import { logPlan, type LogPlan } from '../domain/log-plan.ts';
import type { Clock, HostConfig, UpstreamFailure } from '../domain/ports.ts';
import type { LogHub } from './log-hub.ts';
import { StreamBeginning } from './stream-beginning.ts';

/** A stream that ended is opened again after this, longer each time. */
const RETRY_MS = { first: 1_000, most: 30_000 } as const;

/** What opens log streams. */
export interface LogStreamsOptions {
  readonly hub: LogHub;
  readonly watch: Pick<HostObserver, 'facts' | 'onChange'>;
  /** A client of its own for each host, with connections of its own. */
  readonly clientFor: (host: HostConfig) => LogStreamClient;
  readonly clock: Clock;
}

interface OpenStream {
  readonly abort: AbortController;
  readonly client: LogStreamClient;
  readonly url: string;
}

interface Target {
  readonly wish: LogWish;
  stream: OpenStream | null;
  failures: number;
  retry: (() => void) | null;
}

/**
 * Opens the streams that logs are asked for on, while somebody watches and the host is connected: all of a host's from
 * v259 on, and those of single models. Older hosts send their logs with everything else.
 */
export class LogStreams {
  readonly #options: LogStreamsOptions;
  readonly #targets = new Map<string, Target>();
  #ends: (() => void)[] = [];

  constructor(options: LogStreamsOptions) {
    this.#options = options;
  }

  start(): void {
    const { hub, watch } = this.#options;
    this.#ends = [
      hub.onWishes((wish) => this.#look(wish)),
      watch.onChange((hostId) => {
        for (const { wish } of this.#targets.values()) if (wish.hostId === hostId) this.#look(wish);
      }),
    ];
  }

  stop(): void {
    for (const end of this.#ends) end();
    this.#ends = [];
    for (const target of this.#targets.values()) this.#close(target);
    this.#targets.clear();
  }

  /** Opens, closes or leaves what this wish is about, and says how it is. */
  #look(wish: LogWish): void {
    const { hub, watch } = this.#options;
    const key = JSON.stringify([wish.hostId, wish.modelId]);
    const target = this.#targets.get(key) ?? { wish, stream: null, failures: 0, retry: null };
    if (!hub.isWatched(wish)) {
      this.#close(target);
      this.#targets.delete(key);
      return;
    }
    this.#targets.set(key, target);
    const facts = watch.facts(wish.hostId);
    const plan: LogPlan = logPlan(facts, wish.modelId);
    if (!plan.needsStream || facts === null) {
      this.#close(target);
      hub.setState(wish, plan);
      return;
    }
    if (target.stream !== null && target.stream.url !== facts.host.url) this.#close(target);
    if (target.stream === null && target.retry === null) this.#open(target, facts.host);
  }

  #open(target: Target, host: HostConfig): void {
    const { hub, clientFor, clock } = this.#options;
    const { wish } = target;
    const client = clientFor(host);
    const stream: OpenStream = { abort: new AbortController(), client, url: host.url };
    target.stream = stream;
    hub.setState(wish, { state: 'live', detail: null });
    const beginning = new StreamBeginning(wish, { hub, clock });
    const listener: LogStreamListener = {
      onText: (source, text) => {
        if (target.stream !== stream) return;
        target.failures = 0;
        beginning.onText(source, text);
      },
      onDropped: (count) => hub.droppedFrom(wish, count),
      onClosed: (failure) => this.#closed(target, stream, failure),
    };
    if (wish.modelId === null) client.openHostLogs(listener, stream.abort.signal);
    else client.openModelLog(wish.modelId, listener, stream.abort.signal);
  }

  #closed(target: Target, stream: OpenStream, failure: UpstreamFailure | null): void {
    void stream.client.close();
    if (target.stream !== stream) return;
    const { hub, clock } = this.#options;
    target.stream = null;
    target.failures += 1;
    if (failure !== null) hub.setState(target.wish, { state: 'failed', detail: wordsOf(failure) });
    const delayMs = Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** (target.failures - 1));
    target.retry = clock.after(delayMs, () => {
      target.retry = null;
      this.#look(target.wish);
    });
  }

  #close(target: Target): void {
    const { stream } = target;
    target.stream = null;
    target.retry?.();
    target.retry = null;
    stream?.abort.abort();
    void stream?.client.close();
  }
}

function wordsOf(failure: UpstreamFailure): string {
  if (failure.kind === 'http') return `${failure.status} ${failure.detail}`.trim();
  return 'detail' in failure ? failure.detail : failure.kind;
}
