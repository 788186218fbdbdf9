import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { must } from '#shared/lib/assert.ts';
import { startTestHost, type TestHost } from './recorded-host.ts';
import { readExchanges, type RecordedExchange } from './recordings.ts';

const frame = z.object({ type: z.string(), data: z.string() });
const metrics = z.union([z.array(z.looseObject({ id: z.number() })), z.looseObject({ id: z.number() })]);
const activity = z.object({ id: z.number() });

type Row = Readonly<Record<string, unknown>> & { readonly id: number };

/** What one recorded version answers to a path, from its own exchanges; `/api/nope` stands for any unknown one. */
type Answer = NonNullable<RecordedExchange['response']>;

/**
 * A recorded llama-swap played over HTTP: what a test sends on the event stream, and what it lists follows from that,
 * as it did on the host. Everything else is answered with the bytes that were recorded.
 */
export class ReplayedHost {
  /** Frames sent so far. */
  framesSent = 0;
  readonly #answers: readonly RecordedExchange[];
  readonly #pages: boolean;
  readonly #range: boolean;
  #host: TestHost | null = null;
  #stream: ServerResponse | null = null;
  #text = '';
  #decoder = new TextDecoder();
  #rows: Row[] = [];
  #run = 0;

  private constructor(version: string) {
    this.#answers = readExchanges(version).filter(
      ({ request, response }) => request.method === 'GET' && response?.status !== 401,
    );
    this.#pages = this.#find((path) => path.startsWith('/api/metrics/activity'))?.status === 200;
    this.#range = this.#find((path) => path.includes('min_id=0'))?.status === 400;
  }

  /** Starts to listen on a free port; streams are accepted and stay silent until something is sent. */
  static async start(version: string): Promise<ReplayedHost> {
    const host = new ReplayedHost(version);
    host.#host = await startTestHost((request, response) => host.#answer(request, response));
    return host;
  }

  get url(): string {
    return must(this.#host, 'a started host').url;
  }

  /** Paths that were asked for, in order. */
  get requests(): readonly string[] {
    return must(this.#host, 'a started host').requests;
  }

  /** A client has the event stream open. */
  get isOpen(): boolean {
    return this.#stream !== null;
  }

  /** How many rows it lists. */
  get rowCount(): number {
    return this.#rows.length;
  }

  /** The host was restarted, or reloaded up to v235: its list is empty and ids begin again. */
  forgetRows(): void {
    this.#rows = [];
    this.#run += 1;
  }

  /** Sends bytes on the stream; rows in them are listed from then on. */
  send(bytes: Uint8Array): void {
    this.#text += this.#decoder.decode(bytes, { stream: true });
    const parts = this.#text.split('\n\n');
    this.#text = parts.pop() ?? '';
    for (const part of parts) this.#list(part.slice(part.indexOf('data:') + 5));
    this.framesSent += parts.length;
    must(this.#stream, 'an open stream').write(bytes);
  }

  /** Ends the stream as a llama-swap that goes does, or cuts it as one that was killed. */
  endStream(how: 'end' | 'cut'): void {
    const stream = must(this.#stream, 'an open stream');
    this.#stream = null;
    this.#text = '';
    this.#decoder = new TextDecoder();
    if (how === 'end') stream.end();
    else stream.destroy();
  }

  async stop(): Promise<void> {
    await this.#host?.close();
  }

  #list(text: string): void {
    const message = frame.parse(JSON.parse(text));
    if (message.type === 'metrics') {
      const rows = metrics.parse(JSON.parse(message.data));
      for (const row of Array.isArray(rows) ? rows : [rows]) this.#add(row);
    }
    if (message.type === 'activity') {
      const { id } = activity.parse(JSON.parse(message.data));
      // Not every row was listed in the recorded run; what identifies it is made up the same way for all.
      const timestamp = new Date(Date.UTC(2026, 10, 30, 10 + this.#run, 0, id)).toISOString();
      this.#add({ id, timestamp, model: 'coder', req_path: '/v1/chat/completions', resp_status_code: 200 });
    }
  }

  #add(row: Row): void {
    this.#rows = [...this.#rows.filter((held) => held.id !== row.id), row].sort((a, b) => a.id - b.id);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', 'http://host');
    if (url.pathname === '/api/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      this.#stream = response;
      response.on('close', () => {
        if (this.#stream === response) this.#stream = null;
      });
      return;
    }
    if (url.pathname === '/api/metrics' && !this.#pages) return json(response, this.#rows);
    if (url.pathname === '/api/metrics/activity' && this.#pages && !isRefused(url, this.#range)) {
      return json(response, this.#page(url));
    }
    const path = request.url ?? '';
    const recorded =
      (url.searchParams.has('sort') ? this.#find((known) => known.endsWith('?sort=nope')) : undefined) ??
      this.#find((known) => known === path) ??
      this.#find((known) => known.split('?')[0] === url.pathname && !known.includes('nonsense')) ??
      this.#find((known) => known === '/api/nope');
    const type = recorded?.headers?.['content-type'];
    response.writeHead(recorded?.status ?? 404, type === undefined ? {} : { 'content-type': type });
    response.end(recorded?.body ?? '');
  }

  #page(url: URL) {
    const limit = Number(url.searchParams.get('limit') ?? 25);
    const page = Number(url.searchParams.get('page') ?? 1);
    const minId = this.#range ? Number(url.searchParams.get('min_id') ?? 0) : 0;
    const matching = this.#rows.filter((row) => row.id >= minId).toReversed();
    const data = matching.slice((page - 1) * limit, page * limit);
    return { data, page, limit, total: matching.length, total_pages: Math.ceil(matching.length / limit) };
  }

  #find(accepts: (path: string) => boolean): Answer | undefined {
    return this.#answers.find(({ request, response }) => accepts(request.path) && response !== undefined)
      ?.response;
  }
}

/** Parameters a version answers 400 to, with its own words. */
function isRefused(url: URL, range: boolean): boolean {
  const sort = url.searchParams.get('sort');
  return (sort !== null && sort !== 'id') || (range && url.searchParams.get('min_id') === '0');
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
