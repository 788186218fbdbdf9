import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HostTime } from '../host-time.ts';
import type { Answer } from './answer.ts';
import type { Gate } from './gate.ts';
import { canonicalHeader } from './go-format.ts';

/** Go buffers what a handler writes; a body that fits is sent with its length, a longer one in chunks. */
const LENGTH_LIMIT = 2048;
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** One request on a socket and the way to answer it as Go's net/http does. */
export class HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly method: string;
  readonly accept: string;
  readonly startedAt: number;
  readonly #time: HostTime;
  readonly #gate: Gate;
  readonly #gone = new AbortController();
  /** Status and body bytes, for the access line. */
  status = 200;
  bytes = 0;

  constructor(request: IncomingMessage, response: ServerResponse, time: HostTime, gate: Gate) {
    this.request = request;
    this.response = response;
    this.url = urlOf(request.url ?? '/');
    this.method = request.method ?? 'GET';
    this.accept = request.headers.accept ?? '';
    this.startedAt = time.precise();
    this.#time = time;
    this.#gate = gate;
    response.sendDate = false;
    // Node would add `Connection` and `Keep-Alive`; Go does not.
    response.removeHeader('Connection');
    response.on('close', () => {
      if (!response.writableFinished) this.#gone.abort();
    });
    response.on('error', () => this.#gone.abort());
  }

  /** Aborted when the client hangs up before the answer is done. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  get remoteIp(): string {
    return this.request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '127.0.0.1';
  }

  header(name: string): string | null {
    const value = this.request.headers[name];
    return (Array.isArray(value) ? value[0] : value) ?? null;
  }

  /** Request headers in Go's spelling, sorted, `Host` aside. */
  goHeaders(): Readonly<Record<string, string>> {
    const entries = Object.entries(this.request.headers)
      .filter(([name, value]) => name !== 'host' && value !== undefined)
      .map(([name, value]) => [
        canonicalHeader(name),
        Array.isArray(value) ? (value[0] ?? '') : (value ?? ''),
      ]);
    return Object.fromEntries(entries.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)));
  }

  async body(): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of this.request) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > MAX_BODY_BYTES) throw new Error('request body too large');
      chunks.push(bytes);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  /** Sends a whole answer. */
  send(answer: Answer, extra: Readonly<Record<string, string>> = {}): void {
    const bytes = Buffer.byteLength(answer.body);
    this.status = answer.status;
    this.bytes = bytes;
    const length = bytes <= LENGTH_LIMIT ? { 'Content-Length': String(bytes) } : {};
    const headers = { ...answer.headers, ...extra, ...this.#date(), ...length };
    this.#gate.run(() => {
      if (this.response.destroyed || this.response.headersSent) return;
      this.response.writeHead(answer.status, headers);
      this.response.end(this.method === 'HEAD' ? undefined : answer.body);
    });
  }

  /** Sends only status and headers, without a length: what the old server answers to HEAD. */
  sendBare(status: number): void {
    this.status = status;
    this.#gate.run(() => {
      this.response.writeHead(status, this.#date());
      this.response.end();
    });
  }

  /** Begins a streamed answer; `flush` sends the headers before the first byte. */
  head(status: number, headers: Readonly<Record<string, string>>, flush: boolean): void {
    this.status = status;
    this.#gate.run(() => {
      if (this.response.destroyed || this.response.headersSent) return;
      this.response.writeHead(status, { ...headers, ...this.#date() });
      if (flush) this.response.flushHeaders();
    });
  }

  write(chunk: string): void {
    this.bytes += Buffer.byteLength(chunk);
    this.#gate.run(() => {
      if (!this.response.destroyed && !this.response.writableEnded) this.response.write(chunk);
    });
  }

  end(): void {
    this.#gate.run(() => this.response.end());
  }

  /** Resets the connection. */
  cut(): void {
    this.request.socket.resetAndDestroy();
  }

  #date(): Readonly<Record<string, string>> {
    return { Date: new Date(this.#time.now()).toUTCString() };
  }
}

/** A request line may hold anything; what is no path at all is the root. */
function urlOf(target: string): URL {
  return URL.parse(`http://host${target}`) ?? new URL('http://host/');
}

/** A path segment decoded; left as it is when its escapes are broken. */
export function decodePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
