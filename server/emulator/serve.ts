import type { Caller, ServeRequest } from './caller.ts';
import type { Plan } from './completion.ts';
import type { InFlightEntry } from './in-flight.ts';
import type { LlamaSwap } from './llama-swap.ts';
import type { ModelProcess } from './model-process.ts';
import { planAnswer } from './model-server.ts';
import { playPlan, sleep } from './play-plan.ts';
import type { PlayedWrite } from './play-plan.ts';
import { isMetered, recordEnd } from './request-end.ts';
import type { RequestEnd } from './request-end.ts';
import { errorText, hideSecrets, unknownModel } from './request-facts.ts';
import { failedWords, noUsageWords, streamEnd, streamRecord, type StopCause } from './served-request.ts';
import type { ServingScript } from './serving-script.ts';
import type { Lease } from './swap-router.ts';
import { MINIMAL_TOKENS, rowTokens } from './usage.ts';
import type { Answer } from './wire/answer.ts';
import { peerUnreachable, refusalAnswer } from './wire/refusals.ts';

type Ending = Pick<RequestEnd, 'tokens' | 'timings' | 'outputTokens' | 'refused'>;

const NOTHING: Ending = { tokens: MINIMAL_TOKENS, timings: null, outputTokens: 0, refused: false };
/** Between the last chunk of a dying process and its end. */
const DEATH_MS = 20;

let requestIds = 0;

/** Serves an inference or `/upstream` request from arrival to its activity row. */
export async function serve(host: LlamaSwap, caller: Caller, request: ServeRequest): Promise<void> {
  await new RunningRequest(host, caller, request).run();
}

class RunningRequest {
  readonly #host: LlamaSwap;
  readonly #caller: Caller;
  readonly #request: ServeRequest;
  readonly #startedAt: number;
  readonly #id: number;
  readonly #metered: boolean;
  readonly #stop = new AbortController();
  readonly #over = new AbortController();
  #stopCause: StopCause | null = null;
  #entry: InFlightEntry | null = null;
  #modelId: string;
  #status = 200;
  #responseHeaders: Readonly<Record<string, string>> = {};
  #responseBody = '';
  #headSent = false;
  #firstByteAt: number | null = null;
  #finished = false;
  #error: string | null = null;
  #metadata: Readonly<Record<string, string>> | null = null;

  constructor(host: LlamaSwap, caller: Caller, request: ServeRequest) {
    this.#host = host;
    this.#caller = caller;
    this.#request = request;
    this.#modelId = request.modelName;
    this.#startedAt = host.time.clock.now();
    this.#metered = isMetered(host, caller, request);
    requestIds += 1;
    this.#id = requestIds;
  }

  async run(): Promise<void> {
    const { traits, logs } = this.#host;
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
        const refused = 'dial tcp 127.0.0.1:9: connect: connection refused';
        logs.proxy('WARN', `peer ${resolved.peer}: proxy error: ${refused}`);
        this.#own(peerUnreachable(traits, this.#accept()));
      } else {
        await this.#runModel(resolved.modelId, resolved.selector);
      }
    } finally {
      this.#over.abort();
      this.#entry?.end();
    }
  }

  async #runModel(modelId: string, selector: string | null): Promise<void> {
    const result = await this.#host.router.acquire(modelId, this.#caller.by, this.#stop.signal);
    if (!result.ok) {
      if (result.refusal.kind === 'aborted') return this.#leftWaiting();
      return this.#own(refusalAnswer(this.#host.traits, this.#accept(), result.refusal));
    }
    const { lease } = result;
    this.#metadata = { fifo_priority: '0', ...(selector === null ? {} : { selector }) };
    if (lease.gone.aborted) this.#halt('process');
    else lease.gone.addEventListener('abort', () => this.#halt('process'), { signal: this.#over.signal });
    try {
      await this.#proxy(lease);
    } finally {
      lease.release();
    }
  }

  async #proxy({ process }: Lease): Promise<void> {
    const { time } = this.#host;
    const plan = planAnswer(
      process.config,
      { method: this.#caller.method, path: this.#request.innerPath, body: this.#caller.body },
      {
        sequence: this.#host.nextCompletion(),
        script: { ...this.#caller.script, ...this.#answerScript(process) },
      },
    );
    const task = process.nextTask();
    if (plan.completionId !== '') process.log(`slot launch_slot_: id 0 | task ${task} | processing task\n`);
    if (plan.headersFirst) this.#head(plan);
    const writes: PlayedWrite[] = [];
    const stream = streamRecord(plan, this.#caller, {
      id: this.#id,
      modelId: this.#modelId,
      receivedAt: this.#startedAt,
      writes,
    });
    if (plan.headersFirst && this.#caller.by !== 'traffic') this.#host.records.stream(stream);
    const sink = { begin: () => this.#head(plan), write: (chunk: string) => this.#write(chunk) };
    await playPlan(plan, sink, { time, stop: this.#stop.signal, writes });
    if (plan.end === 'die' && !this.#stop.signal.aborted) {
      await sleep(DEATH_MS, time, this.#stop.signal);
      process.crash();
      // The lease is gone with the process.
    }
    stream.endedAt = time.precise();
    stream.end = streamEnd(plan, this.#stopCause);
    if (this.#stop.signal.aborted) {
      if (this.#stopCause !== 'process') {
        process.log(`slot release: id 0 | task ${task} | stop processing: cancelled\n`);
      }
      return this.#truncated();
    }
    if (plan.end === 'cut') {
      this.#caller.cut();
      return this.#finish(NOTHING);
    }
    this.#caller.end();
    this.#complete(plan);
  }

  // Generated traffic must not take what a test meant for its own request.
  #answerScript(process: ModelProcess): ServingScript {
    return this.#caller.by === 'traffic' ? {} : process.takeAnswerScript();
  }

  #complete(plan: Plan): void {
    if (plan.status !== 200) {
      this.#error = errorText(this.#responseBody, plan.status);
      this.#warnOfStatus(plan.status);
      return this.#finish(NOTHING);
    }
    const { outputTokens, reported } = plan;
    const tokens = rowTokens(reported, this.#host.traits);
    if (!tokens) this.#warn(noUsageWords(this.#request.innerPath, this.#contentType()));
    this.#finish({ ...NOTHING, tokens: tokens ?? MINIMAL_TOKENS, timings: reported.timings, outputTokens });
  }

  /** The process, the caller or a cancel ended it: an answer that began ends early, one that did not is an error. */
  #truncated(): void {
    const { traits, logs } = this.#host;
    if (!this.#headSent) {
      if (this.#stopCause === 'client' && traits.clientGoneStatus) return this.#leftWaiting();
      return this.#own({ status: 502, headers: {}, body: '' });
    }
    const who = traits.server === 'gin' ? 'client' : 'upstream';
    if (traits.logsRecovery) {
      logs.proxy('INFO', `<${this.#modelId}> recovered from ${who} disconnection during streaming`);
    }
    if (this.#stopCause === 'process' && traits.truncationText !== '') this.#write(traits.truncationText);
    this.#caller.end();
    this.#warn(noUsageWords(this.#request.innerPath, this.#contentType()));
    this.#finish(NOTHING);
  }

  #leftWaiting(): void {
    if (this.#host.traits.clientGoneStatus) {
      this.#status = 499;
      this.#error = 'client disconnected before response';
    }
    this.#caller.end();
    this.#finish(NOTHING);
  }

  /** An answer llama-swap makes itself. */
  #own(answer: Answer): void {
    this.#status = answer.status;
    this.#responseHeaders = answer.headers;
    this.#responseBody = answer.body;
    this.#error = errorText(answer.body, answer.status);
    this.#entry?.headers(answer.headers);
    this.#caller.answer(answer);
    this.#warnOfStatus(answer.status);
    this.#finish({ ...NOTHING, refused: true });
  }

  #finish(ending: Ending): void {
    if (this.#finished) return;
    this.#finished = true;
    const cancelledBy =
      this.#stopCause === 'client' ? 'client' : this.#stopCause === 'cancelled' ? 'api' : null;
    recordEnd(this.#host, this.#caller, this.#request, {
      ...ending,
      requestId: this.#id,
      inFlightId: this.#entry?.id ?? null,
      modelId: this.#modelId,
      startedAt: this.#startedAt,
      firstByteAt: this.#firstByteAt,
      status: this.#status,
      contentType: this.#contentType(),
      error: this.#error,
      metadata: this.#metadata,
      responseHeaders: this.#responseHeaders,
      responseBody: this.#responseBody,
      cancelledBy,
    });
  }

  #enter(): void {
    const { gone, method, remoteIp, headers } = this.#caller;
    if (gone.aborted) this.#halt('client');
    else gone.addEventListener('abort', () => this.#halt('client'), { signal: this.#over.signal });
    const { traits, inFlight } = this.#host;
    const { innerPath, viaUpstream } = this.#request;
    if (viaUpstream && traits.inFlight === 'total') return;
    const tracked = traits.inFlight === 'legacy-total' || traits.trackedGets.includes(innerPath);
    if (!this.#metered && !tracked) return;
    this.#entry = inFlight.start({
      model: this.#modelId,
      path: innerPath,
      method,
      headers: hideSecrets(headers, 'redacted'),
      remoteIp,
      metadata: null,
      cancel: () => this.#halt('cancelled'),
    });
  }

  #halt(cause: StopCause): void {
    this.#stopCause ??= cause;
    this.#stop.abort();
  }

  #head(plan: Plan): void {
    if (this.#headSent) return;
    this.#headSent = true;
    const { traits, time } = this.#host;
    const streams = plan.headers['Content-Type'] === 'text/event-stream';
    const buffering = streams && traits.accelBuffering ? { 'X-Accel-Buffering': 'no' } : {};
    this.#status = plan.status;
    this.#responseHeaders = { ...plan.headers, Date: new Date(time.now()).toUTCString(), ...buffering };
    this.#entry?.headers(this.#responseHeaders);
    this.#caller.head(plan.status, {
      ...plan.headers,
      ...buffering,
      ...(traits.forwardsHopHeaders ? { Connection: 'keep-alive', 'Keep-Alive': 'timeout=5' } : {}),
    });
  }

  #write(chunk: string): void {
    this.#firstByteAt ??= this.#host.time.clock.now();
    this.#responseBody += chunk;
    this.#caller.write(chunk);
    this.#entry?.bytes(Buffer.byteLength(chunk));
  }

  /** What llama-swap says of a row it could not fill, where its version fills one for more than told usage. */
  #warn(words: string | null): void {
    const { traits, logs } = this.#host;
    if (words !== null && this.#metered && traits.activityRow.answers !== 'with-usage')
      logs.proxy('WARN', words);
  }

  #warnOfStatus(status: number): void {
    this.#warn(failedWords(this.#request.innerPath, status, this.#host.traits.activityRow.answers));
  }

  #contentType(): string {
    return this.#responseHeaders['Content-Type'] ?? '';
  }

  #accept(): string {
    return this.#caller.headers['Accept'] ?? '';
  }
}
