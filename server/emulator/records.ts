/** What the host really did; the truth that a client's claims are checked against. */
export interface Effect {
  readonly seq: number;
  readonly at: number;
  readonly kind:
    | 'loading'
    | 'loaded'
    | 'load_failed'
    | 'unloading'
    | 'unloaded'
    | 'crashed'
    | 'cancelled'
    | 'served'
    | 'refused'
    | 'profile'
    | 'reloaded'
    | 'started'
    | 'stopped'
    | 'killed'
    | 'woken';
  readonly modelId: string | null;
  /** Who caused it: a request, an unload call, a swap, the ttl, generated traffic, a script. */
  readonly by: EffectCause;
  readonly detail: string | null;
  /** For `served`, `refused` (no model saw it) and `cancelled`: the request. */
  readonly request: {
    readonly id: number;
    readonly method: string;
    readonly path: string;
    readonly status: number;
    readonly startedAt: number;
    readonly outputTokens: number;
  } | null;
}

/** See {@link Effect.by}. */
export type EffectCause =
  | 'request'
  | 'unload'
  | 'swap'
  | 'ttl'
  | 'traffic'
  | 'script'
  | 'reload'
  | 'exit'
  | 'client'
  | 'api';

/** A request that arrived on the socket, whatever became of it. */
export interface ReceivedRequest {
  readonly at: number;
  readonly method: string;
  /** Path with its query, as sent. */
  readonly path: string;
  readonly userAgent: string | null;
  /** It would have woken a sleeping machine behind a wake-on-LAN proxy. */
  readonly wake: boolean;
}

/** When each chunk of a streamed answer was written. `at` is epoch milliseconds with fractions. */
export interface StreamRecord {
  readonly id: number;
  /** The `id` of the completion, as its chunks carry it. */
  readonly completionId: string;
  /** The caller's `X-Request-Id`, when it sent one. */
  readonly clientRequestId: string | null;
  readonly modelId: string;
  readonly path: string;
  readonly receivedAt: number;
  readonly writes: readonly { readonly at: number; readonly bytes: number; readonly token: boolean }[];
  endedAt: number | null;
  end: 'complete' | 'client_gone' | 'cancelled' | 'upstream_died' | 'cut' | null;
}

const MAX_EFFECTS = 20_000;
const MAX_REQUESTS = 100_000;
const MAX_STREAMS = 1_000;

/** Bounded logs of effects, received requests and stream writes. They outlive restarts of the emulated process. */
export class Records {
  #effects: Effect[] = [];
  #requests: ReceivedRequest[] = [];
  #streams: StreamRecord[] = [];
  #listeners = new Set<(effect: Effect) => void>();
  #seq = 0;
  readonly totals = { loaded: 0, unloaded: 0, cancelled: 0, served: 0, load_failed: 0 };

  effect(
    effect: Omit<Effect, 'seq' | 'detail' | 'request'> & Partial<Pick<Effect, 'detail' | 'request'>>,
  ): void {
    this.#seq += 1;
    const noted: Effect = { detail: null, request: null, ...effect, seq: this.#seq };
    this.#effects.push(noted);
    trim(this.#effects, MAX_EFFECTS);
    const { kind } = effect;
    if (
      kind === 'loaded' ||
      kind === 'unloaded' ||
      kind === 'cancelled' ||
      kind === 'served' ||
      kind === 'load_failed'
    ) {
      this.totals[kind] += 1;
    }
    for (const listener of this.#listeners) listener(noted);
  }

  /** Resolves with the first effect that matches: one already noted, or the next. */
  until(matches: (effect: Effect) => boolean): Promise<Effect> {
    const found = this.#effects.find(matches);
    if (found) return Promise.resolve(found);
    return new Promise((resolve) => {
      const listener = (effect: Effect): void => {
        if (!matches(effect)) return;
        this.#listeners.delete(listener);
        resolve(effect);
      };
      this.#listeners.add(listener);
    });
  }

  received(request: ReceivedRequest): void {
    this.#requests.push(request);
    trim(this.#requests, MAX_REQUESTS);
  }

  stream(record: StreamRecord): void {
    this.#streams.push(record);
    trim(this.#streams, MAX_STREAMS);
  }

  /** Effects after `seq`, oldest first. */
  effectsAfter(seq: number): readonly Effect[] {
    return this.#effects.filter((effect) => effect.seq > seq);
  }

  get requests(): readonly ReceivedRequest[] {
    return this.#requests;
  }

  get streams(): readonly StreamRecord[] {
    return this.#streams;
  }

  /** Forgets everything; sequence numbers go on. */
  clear(): void {
    this.#effects = [];
    this.#requests = [];
    this.#streams = [];
    this.totals.loaded = 0;
    this.totals.unloaded = 0;
    this.totals.cancelled = 0;
    this.totals.served = 0;
    this.totals.load_failed = 0;
  }
}

function trim(list: unknown[], max: number): void {
  // In batches: shifting one by one is quadratic under load.
  if (list.length > max + 1000) list.splice(0, list.length - max);
}
