import type { ModelConfig } from './config.ts';
import type { LlamaSwap } from './llama-swap.ts';
import { SeededRandom } from './seeded-random.ts';
import { serve } from './serve.ts';
import type { Caller } from './caller.ts';
import type { ServingScript } from './serving-script.ts';
import type { Answer } from './wire/answer.ts';

/** Generated traffic. */
export interface TrafficOptions {
  /** Requests finished per second. */
  readonly ratePerSecond: number;
  /** Share of requests the model server refuses (400, 500); default 0.02. */
  readonly failureShare?: number;
  /** Share of requests whose caller hangs up; default 0.01. */
  readonly hangUpShare?: number;
  /** Loaded at the start, when nothing runs; null: traffic waits until somebody loads a model. */
  readonly firstModelId?: string | null;
  readonly seed?: number;
}

const TICK_MS = 20;
/** Part of a request's time that goes into its output. */
const OUTPUT_SHARE = 0.65;
/** Requests that run at once at most, so that no model's concurrency limit is met. */
const CONCURRENCY = 2;
const LONGEST_MS = 6000;
/** Who asks: each with its address, and what it says of itself, in Go's spelling. */
const CALLERS: readonly { readonly remoteIp: string; readonly headers: Readonly<Record<string, string>> }[] =
  [
    { remoteIp: '10.0.0.20', headers: { 'User-Agent': 'open-webui/0.6', 'X-Drover-Source': 'open-webui' } },
    { remoteIp: '10.0.0.21', headers: { 'User-Agent': 'opencode/1.2', 'X-Drover-Source': 'opencode' } },
    { remoteIp: '10.0.0.22', headers: { 'User-Agent': 'opencode/1.2', 'X-Session-Id': 'sess-42' } },
    {
      remoteIp: '10.0.0.23',
      headers: { 'User-Agent': 'python-requests/2.32', 'X-Drover-Source': 'ci-nightly' },
    },
    { remoteIp: '10.0.0.24', headers: { 'User-Agent': 'curl/8.14' } },
  ];

/**
 * Callers that keep an emulated host busy. They use what is ready and load nothing by themselves but the first model,
 * so a client that unloads everything is not undone.
 */
export class Traffic {
  readonly options: TrafficOptions;
  readonly #host: () => LlamaSwap | null;
  readonly #random: SeededRandom;
  readonly #running = new Set<AbortController>();
  #due = 0;
  #lastTickAt = 0;
  #stopTimer: () => void = () => {};

  constructor(host: () => LlamaSwap | null, options: TrafficOptions) {
    this.#host = host;
    this.options = options;
    this.#random = new SeededRandom(options.seed ?? 1);
  }

  start(): void {
    const host = this.#host();
    if (!host) return;
    const first = this.options.firstModelId;
    if (typeof first === 'string') {
      void host.router.acquire(first, 'traffic').then((result) => result.ok && result.lease.release());
    }
    this.#lastTickAt = host.time.clock.now();
    this.#stopTimer = host.time.clock.every(TICK_MS, () => this.#tick());
  }

  /** Ends the timer and hangs up every running request. */
  stop(): void {
    this.#stopTimer();
    for (const caller of this.#running) caller.abort();
  }

  #tick(): void {
    const host = this.#host();
    if (!host) return;
    const now = host.time.clock.now();
    const elapsed = Math.min(1000, now - this.#lastTickAt);
    this.#lastTickAt = now;
    const ready = [...host.processes.values()].filter(({ state }) => state === 'ready');
    if (ready.length === 0) return;
    // What a busy moment held back is made up for, a second of it at most.
    this.#due = Math.min(
      this.#due + (elapsed / 1000) * this.options.ratePerSecond,
      Math.max(1, this.options.ratePerSecond),
    );
    for (; this.#due >= 1; this.#due -= 1) {
      const free = ready.filter((process) => process.inFlight < process.config.concurrencyLimit);
      const process = this.#random.pick(free);
      if (!process) return;
      this.#send(host, process.config);
    }
  }

  #send(host: LlamaSwap, model: ModelConfig): void {
    const { id: modelId, tokensPerSecond, promptTokensPerSecond } = model;
    const random = this.#random;
    const meanMs = Math.min(LONGEST_MS, (CONCURRENCY * 1000) / this.options.ratePerSecond);
    const durationMs = meanMs * (0.3 + random.next() * 0.9);
    const embeds = /embed/i.test(modelId);
    const reranks = /rerank/i.test(modelId);
    const fails = random.next() < (this.options.failureShare ?? 0.02);
    // The prompt takes at most a third of the time at the model's own speed.
    const longest = (promptTokensPerSecond * durationMs) / 3000;
    const promptTokens = Math.round(Math.min(200 + random.next() ** 3 * 12_000, Math.max(20, longest)));
    const outputTokens = Math.max(1, Math.round((durationMs / 1000) * tokensPerSecond * OUTPUT_SHARE));
    const script: ServingScript = {
      promptTokens,
      cachedTokens: Math.round(promptTokens * random.next() * 0.9),
      outputTokens,
      // At hundreds of requests a second even one token at the model's own speed takes too long.
      promptTokensPerSecond: Math.max(promptTokensPerSecond, promptTokens / (durationMs / 3000)),
      tokensPerSecond: Math.max(tokensPerSecond, outputTokens / ((durationMs / 1000) * OUTPUT_SHARE)),
      ...(fails ? refusal(random) : {}),
    };
    const path = embeds ? '/v1/embeddings' : reranks ? '/v1/rerank' : '/v1/chat/completions';
    const prompt = { role: 'user', content: 'generated traffic' };
    const body = JSON.stringify(
      embeds || reranks
        ? { model: modelId, input: 'generated traffic' }
        : { model: modelId, messages: [prompt], stream: true, stream_options: { include_usage: true } },
    );
    const hangUp = new AbortController();
    this.#running.add(hangUp);
    if (random.next() < (this.options.hangUpShare ?? 0.01)) {
      host.time.clock.after(durationMs / 2, () => hangUp.abort());
    }
    const from = random.pick(CALLERS);
    const caller: Caller = {
      method: 'POST',
      path,
      headers: {
        Accept: 'application/json',
        'Content-Length': String(body.length),
        'Content-Type': 'application/json',
        ...from?.headers,
      },
      body,
      remoteIp: from?.remoteIp ?? '10.0.0.24',
      by: 'traffic',
      gone: hangUp.signal,
      script,
      head: ignore,
      write: ignore,
      answer: (_answer: Answer) => {},
      end: ignore,
      cut: ignore,
    };
    void serve(host, caller, { modelName: modelId, innerPath: path, viaUpstream: false }).finally(() =>
      this.#running.delete(hangUp),
    );
  }
}

function ignore(): void {
  // Nobody reads generated answers.
}

function refusal(random: SeededRandom): ServingScript {
  return random.next() < 0.5
    ? { status: 500, body: '{"error":{"code":500,"message":"slot unavailable","type":"server_error"}}' }
    : {
        status: 400,
        body: '{"error":{"code":400,"message":"the request exceeds the available context size (8192 tokens)","type":"exceed_context_size_error"}}',
      };
}
