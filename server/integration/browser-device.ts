import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import * as z from 'zod/mini';
import { must } from '#shared/lib/assert.ts';
import { encodePresence, encodeSubscribe, LIVE_MESSAGE } from '#sync/live-frame.ts';
import { LiveReader, type LiveEvent } from '#sync/live-reader.ts';

/** A page open in a browser: the cookie of its device, and a socket on the fleet that reads live frames. */
export class BrowserDevice {
  readonly live = new LiveReader();
  readonly events: LiveEvent[] = [];
  readonly #url: string;
  #cookie = '';
  #socket: WebSocket | null = null;

  constructor(url: string) {
    this.#url = url;
    onTestFinished(() => this.#socket?.terminate());
  }

  /** Calls the API as this device; a cookie in the answer becomes its own. */
  async call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    const reply = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        cookie: this.#cookie,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    this.#cookie = reply.headers.getSetCookie()[0]?.split(';')[0] ?? this.#cookie;
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? null : JSON.parse(text) };
  }

  /** As {@link BrowserDevice.call}, with the answer read by a schema; another status than 2xx throws. */
  async ask<S extends z.core.$ZodType>(
    schema: S,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<z.output<S>> {
    const reply = await this.call(method, path, body);
    if (reply.status >= 300)
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return z.parse(schema, reply.body);
  }

  /** Opens the socket on a document and subscribes to presence. */
  async open(document: string): Promise<void> {
    const socket = new WebSocket(`${this.#url.replace(/^http/, 'ws')}/sync/${document}`, {
      headers: { cookie: this.#cookie },
    });
    this.#socket = socket;
    socket.on('message', (data) => {
      if (!Buffer.isBuffer(data) || data[0] !== LIVE_MESSAGE) return;
      this.events.push(this.live.accept(data.subarray(1)));
    });
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    socket.send(encodeSubscribe({ topics: ['presence'] }));
  }

  /** Says what the page shows. */
  look(report: Parameters<typeof encodePresence>[0]): void {
    must(this.#socket, 'an open socket').send(encodePresence(report));
  }

  /** Code and reason of the close to come. */
  closed(): Promise<string> {
    const socket = must(this.#socket, 'an open socket');
    return new Promise((resolve) => {
      socket.once('close', (code, reason) => resolve(`${code} ${reason.toString()}`));
    });
  }
}
