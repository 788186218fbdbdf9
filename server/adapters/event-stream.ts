import type { EventStreamListener, UpstreamFailure } from '../domain/ports.ts';
import { EventPipeline } from './event-pipeline.ts';
import { failureOfError, failureOfStatus } from './upstream-failure.ts';
import type { UpstreamHttp } from './upstream-http.ts';

/** Time for the headers: a host answers at once, but a sleeping disk or a busy machine may need a while. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Longest stretch of parsing before others get their turn. */
const SLICE_MS = 8;
const MAX_ERROR_BYTES = 16_384;

type StreamEnd = Parameters<EventStreamListener['onClosed']>[0];

/** What the stream is read with. `identify` says what answers where `/api/events` is not found. */
export interface EventStreamOptions {
  readonly http: UpstreamHttp;
  readonly after: (delayMs: number, task: () => void) => () => void;
  readonly identify: (signal: AbortSignal) => Promise<UpstreamFailure>;
  /** Left out: `/api/events`. */
  readonly path?: string;
  /** Left out: ten seconds; null: none, for a stream whose headers come with its first message. */
  readonly headersTimeoutMs?: number | null;
}

/** Opens a stream of events and reports to `listener` until it is closed, by `signal` at the latest. */
export function openEventStream(
  options: EventStreamOptions,
  listener: EventStreamListener,
  signal: AbortSignal,
): void {
  const stream = new EventStream(options, listener, signal);
  void stream.run();
}

class EventStream {
  readonly #options: EventStreamOptions;
  readonly #listener: EventStreamListener;
  readonly #signal: AbortSignal;
  readonly #socket = new AbortController();
  readonly #pipeline: EventPipeline;
  #closed = false;
  #scheduled = false;
  /** Why no more bytes come; reported once all that came is read. */
  #end: StreamEnd | null = null;

  constructor(options: EventStreamOptions, listener: EventStreamListener, signal: AbortSignal) {
    this.#options = options;
    this.#listener = listener;
    this.#signal = signal;
    this.#pipeline = new EventPipeline({
      onEvent: (event) => {
        if (!this.#closed) listener.onEvent(event);
      },
      onLogsDropped: (count) => {
        if (!this.#closed) listener.onLogsDropped(count);
      },
    });
  }

  async run(): Promise<void> {
    const { http } = this.#options;
    if (this.#signal.aborted) return this.#close({ why: 'aborted' });
    if (http.keyCannotBeSent()) return this.#close({ why: 'failed', failure: { kind: 'unauthorized' } });
    const onAbort = () => this.#close({ why: 'aborted' });
    this.#signal.addEventListener('abort', onAbort, { once: true });
    this.#socket.signal.addEventListener('abort', () => this.#signal.removeEventListener('abort', onAbort));
    let late = false;
    const { after, path = '/api/events', headersTimeoutMs = HEADERS_TIMEOUT_MS } = this.#options;
    const giveUp = () => {
      late = true;
      this.#socket.abort();
    };
    const cancelTimeout = headersTimeoutMs === null ? () => undefined : after(headersTimeoutMs, giveUp);
    try {
      const response = await http.request(path, {
        accept: 'text/event-stream',
        signal: this.#socket.signal,
        withoutKey: false,
      });
      cancelTimeout();
      const type = response.headers['content-type'];
      const contentType = typeof type === 'string' ? type : '';
      if (response.statusCode === 200 && contentType.startsWith('text/event-stream')) {
        this.#read(response.body, http.clockOffset(response.headers));
        return;
      }
      const { location } = response.headers;
      const failure = await this.#refusal(response.statusCode, {
        contentType,
        location: typeof location === 'string' ? location : null,
        body: response.body,
      });
      this.#close({ why: 'failed', failure });
    } catch (error) {
      cancelTimeout();
      const failure: UpstreamFailure = late
        ? { kind: 'timeout', detail: `no answer in ${HEADERS_TIMEOUT_MS / 1000} s` }
        : failureOfError(error, http.secrets());
      this.#close({ why: 'failed', failure });
    }
  }

  /** Takes every byte the moment it is there; nothing here ever waits for the parser. */
  #read(body: NodeJS.ReadableStream, clockOffsetMs: number | null): void {
    this.#listener.onOpen({ clockOffsetMs });
    body.on('data', (chunk: Buffer) => {
      if (this.#closed) return;
      this.#listener.onBytes(chunk.byteLength);
      this.#pipeline.push(chunk);
      this.#schedule();
    });
    body.on('end', () => this.#finish({ why: 'end' }));
    body.on('error', (error: unknown) => {
      this.#finish({ why: 'failed', failure: failureOfError(error, this.#options.http.secrets()) });
    });
  }

  #finish(end: StreamEnd): void {
    this.#end ??= end;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#closed) return;
      const state = this.#pipeline.run(SLICE_MS);
      if (state === 'overload') this.#close({ why: 'overload' });
      else if (state === 'busy') this.#schedule();
      else if (this.#end) this.#close(this.#end);
    });
  }

  async #refusal(
    status: number,
    reply: {
      readonly contentType: string;
      readonly location: string | null;
      readonly body: AsyncIterable<unknown>;
    },
  ): Promise<UpstreamFailure> {
    // A wake-on-LAN proxy whose host sleeps: any other request would wake it.
    if (status === 204) return { kind: 'asleep' };
    if (status === 404) return await this.#options.identify(this.#socket.signal);
    if (status === 200) {
      const type = reply.contentType.split(';')[0]?.trim().slice(0, 100);
      return { kind: 'not_llama_swap', detail: `it answers with ${type || 'something'} instead of events` };
    }
    const cancel = this.#options.after(HEADERS_TIMEOUT_MS, () => this.#socket.abort());
    try {
      const body = await readStart(reply.body);
      return failureOfStatus({ status, location: reply.location, body }, this.#options.http.secrets());
    } finally {
      cancel();
    }
  }

  #close(end: StreamEnd): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#socket.abort();
    this.#listener.onClosed(end);
  }
}

async function readStart(body: AsyncIterable<unknown>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= MAX_ERROR_BYTES) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
