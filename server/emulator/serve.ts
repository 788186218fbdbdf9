import type { StoredActivity } from './activity-ring.ts';
import type { InFlightEntry } from './in-flight.ts';
import type { LlamaSwap } from './llama-swap.ts';
import type { Plan } from './completion.ts';
import { planAnswer } from './model-server.ts';
import type { EffectCause, StreamRecord } from './records.ts';
import { errorText, hideSecrets, sourceOf, unknownModel } from './request-facts.ts';
import type { ServingScript } from './serving-script.ts';
import { goneReason } from './swap-router.ts';
import type { Lease } from './swap-router.ts';
import { MINIMAL_TOKENS, rowTokens } from './usage.ts';
import type { Answer } from './wire/answer.ts';
import { peerUnreachable, refusalAnswer } from './wire/refusals.ts';

/** Whoever sent a request: a socket, or the generator of traffic. */
export interface Caller {
  readonly method: string;
  /** The client's path without query. */
  readonly path: string;
  /** Headers in Go's spelling, first value only. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly remoteIp: string;
  readonly by: EffectCause;
  /** Aborted when the caller hangs up. */
  readonly gone: AbortSignal;
  /** Behaviour asked for by a test or by generated traffic. */
  readonly script: ServingScript;
  head(status: number, headers: Readonly<Record<string, string>>): void;
  write(chunk: string): void;
  /** Whole answer of llama-swap itself. */
  answer(answer: Answer): void;
  end(): void;
  /** Resets the connection. */
  cut(): void;
}

/** What is asked of which model. */
export interface ServeRequest {
  /** From the body, or from an `/upstream/…` path. */
  readonly modelName: string;
  /** Path the model server sees. */
  readonly innerPath: string;
  readonly viaUpstream: boolean;
}

type StopCause = 'client' | 'cancelled' | 'process';

let requestIds = 0;

/** Serves an inference or `/upstream` request from arrival to its activity row. */
export async function serve(host: LlamaSwap, caller: Caller, request: ServeRequest): Promise<void> {
  await new Request(host, caller, request).run();
}

class Request {
  readonly #host: LlamaSwap;
  readonly #caller: Caller;
  readonly #request: ServeRequest;
  readonly #startedAt: number;
  readonly #id: number;
  readonly #metered: boolean;
  readonly #stop = new AbortController();
  readonly #cleanup = new AbortController();
  #stopCause: StopCause | null = null;
  #entry: InFlightEntry | null = null;
  #modelId: string;
  #status = 200;
  #contentType = '';
  #responseHeaders: Readonly<Record<string, string>> = {};
  #responseBody = '';
  #headSent = false;
  #error: string | null = null;
  #metadata: Readonly<Record<string, string>> | null = null;

  constructor(host: LlamaSwap, caller: Caller, request: ServeRequest) {
    this.#host = host;
    this.#caller = caller;
    this.#request = request;
    this.#modelId = request.modelName;
    this.#startedAt = host.time.clock.now();
    requestIds += 1;
    this.#id = requestIds;
    const { traits } = host;
    const known = traits.inferenceRoutes.includes(request.innerPath);
    this.#metered =
      caller.method === 'POST' &&
      (request.viaUpstream
        ? traits.upstreamMetered === 'any' || (traits.upstreamMetered === 'inference' && known)
        : known);
  }

  async run(): Promise<void> {
    const { traits } = this.#host;
    const resolved = this.#host.resolve(this.#request.modelName);
    if (resolved.kind === 'unknown' && !traits.activityRow.unknownModels) {
      return this.#caller.answer(unknownModel(this.#host, this.#caller, this.#request));
    }
    if (resolved.kind === 'model') this.#modelId = resolved.modelId;
    this.#enter();
    try {
      if (resolved.kind === 'unknown') {
        this.#own(unknownModel(this.#host, this.#caller, this.#request));
      } else if (resolved.kind === 'peer') {
        this.#host.logs.proxy(
          'WARN',
          `peer ${resolved.peer}: proxy error: dial tcp 127.0.0.1:9: connect: connection refused`,
        );
        this.#own(peerUnreachable(traits, this.#accept()));
      } else {
        await this.#runModel(resolved.modelId, resolved.selector);
      }
    } finally {
      this.#cleanup.abort();
      this.#leave();
    }
  }

  async #runModel(modelId: string, selector: string | null): Promise<void> {
    const result = await this.#host.router.acquire(modelId, this.#caller.by, this.#stop.signal);
    if (!result.ok) {
      if (result.refusal.kind === 'aborted') return this.#clientLeftWaiting();
      return this.#own(refusalAnswer(this.#host.traits, this.#accept(), result.refusal));
    }
    const { lease } = result;
    this.#metadata = {
      fifo_priority: '0',
      ...(selector === null ? {} : { selector }),
    };
    lease.gone.addEventListener('abort', () => this.#halt('process'), { signal: this.#cleanup.signal });
    try {
      await this.#proxy(lease);
    } finally {
      lease.release();
    }
  }

  async #proxy(lease: Lease): Promise<void> {
    const { traits, time, records } = this.#host;
    const { process } = lease;
    const plan = planAnswer(
      process.config,
      { method: this.#caller.method, path: this.#request.innerPath, body: this.#caller.body },
      { sequence: this.#host.nextCompletion(), script: this.#caller.script },
    );
    const task = process.nextTask();
    if (plan.completionId !== '') process.log(`slot launch_slot_: id 0 | task ${task} | processing task\n`);
    if (plan.headersFirst) this.#head(plan);
    const writes: { at: number; bytes: number; token: boolean }[] = [];
    const stream: StreamRecord & { endedAt: number | null; end: StreamRecord['end'] } = {
      id: this.#id,
      completionId: plan.completionId,
      clientRequestId: this.#caller.headers['X-Request-Id'] ?? null,
      modelId: process.config.id,
      path: this.#caller.path,
      receivedAt: this.#startedAt,
      writes,
      endedAt: null,
      end: null,
    };
    if (plan.headersFirst && this.#caller.by !== 'traffic') records.stream(stream);
    let due = time.precise();
    let lateTokens = 0;
    for (const part of plan.parts) {
      due += part.afterMs;
      const waitMs = due - time.precise();
      if (waitMs > 0.5) await this.#sleep(waitMs);
      if (this.#stop.signal.aborted) break;
      if (!plan.headersFirst) this.#head(plan);
      this.#write(part.chunk);
      writes.push({ at: time.precise(), bytes: Buffer.byteLength(part.chunk), token: part.token });
      // Many tokens due at once must not starve the socket they are written to.
      lateTokens = waitMs > 0.5 ? 0 : lateTokens + 1;
      if (lateTokens % 64 === 63) await new Promise((resolve) => setImmediate(resolve));
    }
    stream.endedAt = time.precise();
    if (this.#stop.signal.aborted) {
      stream.end =
        this.#stopCause === 'client'
          ? 'client_gone'
          : this.#stopCause === 'cancelled'
            ? 'cancelled'
            : 'upstream_died';
      if (this.#stopCause !== 'process') {
        process.log(`slot release: id 0 | task ${task} | stop processing: cancelled\n`);
      }
      return this.#truncated(process.config.id, goneReason(lease.gone));
    }
    if (plan.end === 'die') {
      stream.end = 'upstream_died';
      await this.#sleep(20);
      process.crash();
      return this.#truncated(process.config.id, 'crashed');
    }
    if (plan.end === 'cut') {
      stream.end = 'cut';
      this.#caller.cut();
      return this.#finish(MINIMAL_TOKENS, 0);
    }
    stream.end = 'complete';
    this.#caller.end();
    this.#complete(plan, traits.timingsCountTokens, traits.vllmMetrics);
  }

  #complete(plan: Plan, timingsCountTokens: boolean, vllmMetrics: boolean): void {
    if (plan.status !== 200) {
      this.#error = errorText(this.#responseBody, plan.status);
      this.#warnPartial(plan.status);
      return this.#finish(MINIMAL_TOKENS, 0);
    }
    const tokens = rowTokens(plan.reported, { timingsCountTokens, vllmMetrics });
    if (tokens) return this.#finish(tokens, plan.outputTokens, plan.reported.timings ?? undefined);
    this.#warnNoUsage();
    this.#finish(MINIMAL_TOKENS, plan.outputTokens);
  }

  #truncated(modelId: string, how: 'stopped' | 'crashed'): void {
    const who = this.#host.traits.server === 'gin' ? 'client' : 'upstream';
    if (!this.#headSent) {
      if (this.#stopCause === 'client' && this.#host.traits.clientGoneStatus) {
        this.#status = 499;
        this.#error = 'client disconnected before response';
      } else {
        this.#own({ status: 502, headers: {}, body: '' });
      }
      return this.#finish(MINIMAL_TOKENS, 0);
    }
    if (this.#host.traits.logsRecovery)
      this.#host.logs.proxy('INFO', `<${modelId}> recovered from ${who} disconnection during streaming`);
    if (how === 'crashed' && this.#stopCause !== 'client' && this.#host.traits.truncationText !== '') {
      this.#write(this.#host.traits.truncationText);
    }
    this.#caller.end();
    this.#warnNoUsage();
    this.#finish(MINIMAL_TOKENS, 0);
  }

  #clientLeftWaiting(): void {
    if (this.#host.traits.clientGoneStatus) {
      this.#status = 499;
      this.#error = 'client disconnected before response';
    }
    this.#caller.end();
    this.#finish(MINIMAL_TOKENS, 0);
  }

  /** An answer llama-swap makes itself, with its row. */
  #own(answer: Answer): void {
    this.#status = answer.status;
    this.#responseHeaders = answer.headers;
    this.#contentType = answer.headers['Content-Type'] ?? '';
    this.#responseBody = answer.body;
    this.#error = errorText(answer.body, answer.status);
    this.#entry?.headers(answer.headers);
    this.#caller.answer(answer);
    this.#warnPartial(answer.status);
    this.#finish(MINIMAL_TOKENS, 0);
  }

  #finished = false;

  #finish(
    tokens: typeof MINIMAL_TOKENS,
    outputTokens: number,
    timings?: { prompt_ms: number; predicted_ms: number },
  ): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#effect(outputTokens);
    if (!this.#metered) return;
    const { traits, time } = this.#host;
    const minimal = tokens === MINIMAL_TOKENS;
    const flat = !traits.activityRow.everyAnswer;
    if (flat && (minimal || this.#status !== 200 || (tokens.input === 0 && tokens.output === 0))) return;
    const wallMs = Math.round(time.clock.now() - this.#startedAt);
    const measuredMs = timings ? Math.round(timings.prompt_ms + timings.predicted_ms) : 0;
    const durationMs = flat && timings ? measuredMs : Math.max(wallMs, measuredMs);
    const row = this.#host.record({
      model: this.#modelId,
      path: this.#request.innerPath,
      contentType: this.#contentType,
      status: this.#status,
      tokens,
      durationMs,
      error: this.#error,
      metadata: this.#metadata,
      source: sourceOf(this.#caller, traits.allowAnyOrigin),
    });
    this.#capture(row);
  }

  #capture(row: StoredActivity): void {
    if (this.#status === 499) return;
    this.#host.captures.add(row.id, {
      path: row.path,
      requestHeaders: hideSecrets(this.#caller.headers, this.#host.traits.secretHeaders),
      requestBody: this.#caller.body,
      responseHeaders: this.#responseHeaders,
      responseBody: this.#responseBody,
      status: this.#status,
      // Up to v217 nothing is kept of what came through `/upstream`.
      emptied: this.#request.viaUpstream && this.#host.traits.captures === 'all-null-on-error',
    });
  }

  #enter(): void {
    const { gone } = this.#caller;
    const { signal } = this.#cleanup;
    if (gone.aborted) this.#halt('client');
    else gone.addEventListener('abort', () => this.#halt('client'), { signal });
    const { traits } = this.#host;
    const legacy = traits.inFlight === 'legacy-total';
    const tracked = traits.trackedGets.includes(this.#request.innerPath);
    if (!this.#metered && !legacy && !tracked) return;
    this.#entry = this.#host.inFlight.start({
      model: this.#modelId,
      path: this.#request.innerPath,
      method: this.#caller.method,
      headers: hideSecrets(this.#caller.headers, 'redacted'),
      remoteIp: this.#caller.remoteIp,
      metadata: null,
      cancel: () => this.#halt('cancelled'),
    });
  }

  #leave(): void {
    this.#entry?.end();
  }

  #halt(cause: StopCause): void {
    this.#stopCause ??= cause;
    this.#stop.abort();
  }

  #head(plan: Plan): void {
    if (this.#headSent) return;
    this.#headSent = true;
    const { traits, time } = this.#host;
    const stream = plan.headers['Content-Type'] === 'text/event-stream';
    this.#status = plan.status;
    this.#contentType = plan.headers['Content-Type'] ?? '';
    const kept = {
      ...plan.headers,
      Date: new Date(time.now()).toUTCString(),
      ...(stream && traits.accelBuffering ? { 'X-Accel-Buffering': 'no' } : {}),
    };
    this.#responseHeaders = kept;
    this.#entry?.headers(kept);
    this.#caller.head(plan.status, {
      ...plan.headers,
      ...(stream && traits.accelBuffering ? { 'X-Accel-Buffering': 'no' } : {}),
      ...(traits.forwardsHopHeaders ? { Connection: 'keep-alive', 'Keep-Alive': 'timeout=5' } : {}),
    });
  }

  #write(chunk: string): void {
    this.#responseBody += chunk;
    this.#caller.write(chunk);
    this.#entry?.bytes(Buffer.byteLength(chunk));
  }

  #sleep(delayMs: number): Promise<void> {
    const { signal } = this.#stop;
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const cancel = Number.isFinite(delayMs) ? this.#host.time.clock.after(delayMs, done) : () => {};
      function done(): void {
        cancel();
        signal.removeEventListener('abort', done);
        resolve();
      }
      signal.addEventListener('abort', done);
    });
  }

  #effect(outputTokens: number): void {
    const cancelled = this.#stopCause === 'client' || this.#stopCause === 'cancelled';
    this.#host.records.effect({
      at: this.#host.time.clock.now(),
      kind: cancelled ? 'cancelled' : 'served',
      modelId: this.#modelId,
      by: cancelled ? (this.#stopCause === 'client' ? 'client' : 'api') : this.#caller.by,
      detail: this.#entry?.id ?? null,
      request: {
        id: this.#id,
        method: this.#caller.method,
        path: this.#caller.path,
        status: this.#status,
        startedAt: this.#startedAt,
        outputTokens,
      },
    });
  }

  #warnNoUsage(): void {
    if (!this.#metered || this.#contentType !== 'text/event-stream') return;
    if (!this.#host.traits.activityRow.everyAnswer) return;
    this.#host.logs.proxy(
      'WARN',
      'error processing streaming response: no valid JSON data found in stream, ' +
        `path=${this.#request.innerPath}, recording minimal metrics`,
    );
  }

  #warnPartial(status: number): void {
    if (!this.#metered || !this.#host.traits.activityRow.everyAnswer) return;
    const path = this.#request.innerPath;
    this.#host.logs.proxy(
      'WARN',
      `non-200 response, recording partial metrics: status=${status}, path=${path}`,
    );
  }

  #accept(): string {
    return this.#caller.headers['Accept'] ?? '';
  }
}
