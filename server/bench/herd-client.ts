import { WebSocket } from 'ws';
import * as Y from 'yjs';
import { encodeStep1 } from '#sync/sync-frame.ts';
import { socketUrl } from './frame-client.ts';

/** What a cold client wants: its documents at once, then segments, a few at a time. */
export interface HerdWish {
  readonly url: string;
  readonly key: string;
  readonly documents: readonly string[];
  readonly segments: readonly string[];
}

const STEP_2 = 1;
const PARALLEL_FETCHES = 4;

/** A device without a copy: opens its documents, then fetches segments as our client does. */
export class HerdClient {
  /** When it had everything, and in how many bytes. */
  readonly done: Promise<{ readonly at: number; readonly bytes: number }>;
  readonly #wish: HerdWish;
  #bytes = 0;

  constructor(wish: HerdWish) {
    this.#wish = wish;
    this.done = this.#run();
  }

  async #run(): Promise<{ readonly at: number; readonly bytes: number }> {
    await Promise.all(this.#wish.documents.map((document) => this.#sync(document)));
    const queue = [...this.#wish.segments];
    await Promise.all(Array.from({ length: PARALLEL_FETCHES }, () => this.#fetchFrom(queue)));
    return { at: performance.now(), bytes: this.#bytes };
  }

  #sync(document: string): Promise<void> {
    const { url, key } = this.#wish;
    const socket = new WebSocket(socketUrl(url, document, key));
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('close', (code) => reject(new Error(`closed with ${code}`)));
      socket.once('open', () => socket.send(encodeStep1(Y.encodeStateVector(new Y.Doc()))));
      socket.on('message', (data) => {
        if (!Buffer.isBuffer(data)) return;
        this.#bytes += data.byteLength;
        if (data[0] === 0 && data[1] === STEP_2) resolve();
      });
    });
  }

  async #fetchFrom(queue: string[]): Promise<void> {
    const { url, key } = this.#wish;
    for (let hash = queue.shift(); hash !== undefined; hash = queue.shift()) {
      const reply = await fetch(`${url}/api/segments/${hash}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      if (!reply.ok) throw new Error(`segment: ${reply.status}`);
      this.#bytes += (await reply.arrayBuffer()).byteLength;
    }
  }
}
