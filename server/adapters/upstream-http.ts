import { type Dispatcher, Pool } from 'undici';
import type { Clock, UpstreamFailure, UpstreamResult } from '../domain/ports.ts';
import { failureOfError, failureOfStatus } from './upstream-failure.ts';

const CONNECT_TIMEOUT_MS = 5000;
const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_MAX_BYTES = 1024 * 1024;
/** A history that was sent at once has come whole when nothing follows for so long. */
const SILENCE_MS = 300;
const KEEPALIVE_DELAY_MS = 15_000;
// The event stream holds one; the rest is for calls, which come one after the other.
const MAX_CONNECTIONS = 6;
/** Access logs of llama-swap show it: whoever reads them sees where these lines come from. */
const USER_AGENT = 'drover';
const SENDABLE_KEY = /^[\x21-\x7e]+$/;

/** An answer, whatever its status, read whole. */
export interface HttpReply {
  readonly status: number;
  readonly contentType: string;
  readonly location: string | null;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Bounds of one call. */
export interface CallOptions {
  readonly signal: AbortSignal;
  /** From the first byte sent to the last byte read. */
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** Calls that must not carry the key: what answers there may be no llama-swap. */
  readonly withoutKey?: boolean;
}

/** An order to a host; sent once, whatever comes of it. */
export interface OrderOptions extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Sent as JSON. */
  readonly json?: unknown;
}

/** Where a host is and how to sign in; `key` is asked at every request, so that a changed one is used at once. */
export interface UpstreamHttpOptions {
  readonly url: string;
  readonly key: () => string | null;
  readonly clock: Clock;
}

/**
 * HTTP to one host over connections of its own. Every call has a timeout and a size limit that holds while the body
 * arrives; redirects come back as they are; there is one credential header.
 */
export class UpstreamHttp {
  readonly #pool: Pool;
  readonly #prefix: string;
  readonly #key: () => string | null;
  readonly #clock: Clock;

  constructor({ url, key, clock }: UpstreamHttpOptions) {
    const base = new URL(url);
    this.#prefix = base.pathname.replace(/\/+$/, '');
    this.#key = key;
    this.#clock = clock;
    this.#pool = new Pool(base.origin, {
      connections: MAX_CONNECTIONS,
      // Streams of llama-swap are silent for hours; calls are bounded by their own deadline.
      bodyTimeout: 0,
      headersTimeout: 0,
      allowH2: false,
      connect: {
        timeout: CONNECT_TIMEOUT_MS,
        keepAlive: true,
        keepAliveInitialDelay: KEEPALIVE_DELAY_MS,
      },
    });
  }

  /** The secrets no text of this host may repeat. */
  secrets(): readonly string[] {
    const key = this.#key();
    return key ? [key] : [];
  }

  /** A GET that is read to its end; any status is a success here, and the caller judges it. */
  get(path: string, options: CallOptions): Promise<UpstreamResult<HttpReply>> {
    return this.order(path, { ...options, method: 'GET' });
  }

  /** A request of any method that is read to its end, judged by the caller. It is never repeated. */
  async order(path: string, options: OrderOptions): Promise<UpstreamResult<HttpReply>> {
    if (!options.withoutKey && this.keyCannotBeSent()) return this.#failed({ kind: 'unauthorized' });
    const deadline = this.#deadline(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, options.signal);
    try {
      const response = await this.request(path, {
        accept: 'application/json',
        signal: deadline.signal,
        withoutKey: options.withoutKey ?? false,
        method: options.method,
        json: options.json,
      });
      const clockOffsetMs = this.clockOffset(response.headers);
      const body = await readBody(response.body, options.maxBytes ?? DEFAULT_MAX_BYTES);
      if (body === null)
        return this.#failed({ kind: 'too_large', detail: 'the answer is larger than any should be' });
      return { ok: true, value: toReply(response, body), clockOffsetMs };
    } catch (error) {
      return this.#failed(deadline.failure() ?? failureOfError(error, this.secrets()));
    } finally {
      deadline.end();
    }
  }

  /**
   * The text that arrives within `timeoutMs`, or until nothing more came for a moment, of a stream that never ends; null
   * when there was none, which is no failure.
   */
  async getForAWhile(
    path: string,
    options: CallOptions & { readonly timeoutMs: number; readonly maxBytes: number },
  ): Promise<UpstreamResult<HttpReply | null>> {
    if (this.keyCannotBeSent()) return this.#failed({ kind: 'unauthorized' });
    const deadline = this.#deadline(options.timeoutMs, options.signal);
    const silence = new AbortController();
    let cancelSilence = () => {};
    const chunks: Uint8Array[] = [];
    let response: Dispatcher.ResponseData | null = null;
    let clockOffsetMs: number | null = null;
    try {
      response = await this.request(path, {
        accept: 'application/json',
        signal: AbortSignal.any([deadline.signal, silence.signal]),
        withoutKey: false,
      });
      clockOffsetMs = this.clockOffset(response.headers);
      let size = 0;
      for await (const chunk of byteChunks(response.body)) {
        chunks.push(chunk);
        size += chunk.byteLength;
        if (size >= options.maxBytes) break;
        cancelSilence();
        cancelSilence = this.#clock.after(SILENCE_MS, () => silence.abort());
      }
    } catch (error) {
      const failure = deadline.failure();
      const isOver = silence.signal.aborted || failure?.kind === 'timeout';
      if (!isOver) return this.#failed(failure ?? failureOfError(error, this.secrets()));
    } finally {
      cancelSilence();
      deadline.end();
    }
    const body = new TextDecoder().decode(Buffer.concat(chunks));
    return { ok: true, value: response ? toReply(response, body) : null, clockOffsetMs };
  }

  /** Sends a request (a GET when left out) and returns as soon as headers are there. Rejects on failure. */
  async request(
    path: string,
    options: {
      readonly accept: string;
      readonly signal: AbortSignal;
      readonly withoutKey: boolean;
      readonly method?: OrderOptions['method'];
      readonly json?: unknown;
    },
  ): Promise<Dispatcher.ResponseData> {
    const key = options.withoutKey ? null : this.#key();
    return await this.#pool.request({
      method: options.method ?? 'GET',
      path: `${this.#prefix}${path}`,
      headers: {
        accept: options.accept,
        'user-agent': USER_AGENT,
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(options.json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(options.json === undefined ? {} : { body: JSON.stringify(options.json) }),
      signal: options.signal,
    });
  }

  /** A key that no header can carry cannot be the right one. */
  keyCannotBeSent(): boolean {
    const key = this.#key();
    return key !== null && !SENDABLE_KEY.test(key);
  }

  /** Our clock minus the host's, which tells whole seconds: half a second off on average, so that much is added. */
  clockOffset(headers: Readonly<Record<string, string | string[] | undefined>>): number | null {
    const date = headers['date'];
    const hostTime = typeof date === 'string' ? Date.parse(date) : Number.NaN;
    return Number.isNaN(hostTime) ? null : this.#clock.now() - (hostTime + 500);
  }

  /** Cuts every connection; running calls fail. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  #failed(failure: UpstreamFailure): { readonly ok: false; readonly failure: UpstreamFailure } {
    return { ok: false, failure };
  }

  #deadline(timeoutMs: number, signal: AbortSignal) {
    const timer = new AbortController();
    const cancel = this.#clock.after(timeoutMs, () => timer.abort());
    return {
      signal: AbortSignal.any([signal, timer.signal]),
      end: cancel,
      failure: (): UpstreamFailure | null => {
        if (signal.aborted) return { kind: 'reset', detail: 'given up by Drover' };
        return timer.signal.aborted
          ? { kind: 'timeout', detail: `no answer in ${timeoutMs / 1000} s` }
          : null;
      },
    };
  }
}

/** The value of a 200 answer in JSON, read by `parse`; any other answer is a failure. */
export function readReply<T>(
  result: UpstreamResult<HttpReply>,
  parse: (json: unknown) => T | null,
  secrets: readonly string[] = [],
): UpstreamResult<T> {
  if (!result.ok) return result;
  const reply = result.value;
  if (reply.status !== 200) return { ok: false, failure: failureOfStatus(reply, secrets) };
  const value = parse(parseJson(reply.body));
  if (value === null)
    return { ok: false, failure: { kind: 'malformed', detail: 'the answer is not as expected' } };
  return { ok: true, value, clockOffsetMs: result.clockOffsetMs };
}

/** JSON or undefined. */
export function parseJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    return json;
  } catch {
    return undefined;
  }
}

async function readBody(body: AsyncIterable<unknown>, maxBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of byteChunks(body)) {
    size += chunk.byteLength;
    // Leaving the loop destroys the body and its connection.
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

async function* byteChunks(body: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) if (chunk instanceof Uint8Array) yield chunk;
}

function toReply(response: Dispatcher.ResponseData, body: string): HttpReply {
  const { location, 'content-type': contentType } = response.headers;
  return {
    status: response.statusCode,
    contentType: typeof contentType === 'string' ? contentType : '',
    location: typeof location === 'string' ? location : null,
    headers: response.headers,
    body,
  };
}
