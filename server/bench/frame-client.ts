import { WebSocket } from 'ws';
import * as Y from 'yjs';
import { encodeStep1 } from '#sync/sync-frame.ts';
import { TailReader } from './tail-reader.ts';

/** What a client connects to; the document `raw` is the JSON broadcast that documents are compared with. */
export interface FrameSource {
  readonly url: string;
  readonly document: string;
  readonly key: string;
}

/** Bytes of the longest update that carries nothing: what keeps a silent connection open. */
const EMPTY_UPDATE_BYTES = 5;
const SYNC = 0;
const STEP_2 = 1;
const UPDATE = 2;

/** A client that notes when each update came. A decoder also applies it, and notes the times of the rows in it. */
export class FrameClient {
  /** Resolves when the document is here. */
  readonly ready: Promise<void>;
  /** When each frame since the mark arrived. */
  readonly arrivals: number[] = [];
  /** Decoders only: event times of the rows new in each frame. */
  readonly eventTimes: (readonly number[])[] = [];
  bytes = 0;
  readonly #reader: TailReader | null;
  readonly #isRaw: boolean;
  #markReady: () => void = () => undefined;

  constructor(source: FrameSource, decodes: boolean) {
    this.#isRaw = source.document === 'raw';
    this.#reader = decodes ? new TailReader() : null;
    const socket = new WebSocket(socketUrl(source.url, source.document, source.key));
    this.ready = new Promise((resolve, reject) => {
      this.#markReady = resolve;
      socket.once('error', reject);
      socket.once('close', (code) => reject(new Error(`closed with ${code}`)));
    });
    socket.once('open', () => {
      if (this.#isRaw) this.#markReady();
      else socket.send(encodeStep1(Y.encodeStateVector(new Y.Doc())));
    });
    socket.on('message', (data) => {
      const at = performance.timeOrigin + performance.now();
      if (!Buffer.isBuffer(data)) return;
      if (this.#isRaw) this.#takeJson(data, at);
      else this.#takeFrame(data, at);
    });
  }

  /** Counts from here. */
  mark(): void {
    this.arrivals.length = 0;
    this.eventTimes.length = 0;
    this.bytes = 0;
  }

  #takeFrame(frame: Buffer, at: number): void {
    if (frame[0] !== SYNC) return;
    if (frame[1] === STEP_2) {
      this.#reader?.take(frame);
      this.#markReady();
    }
    if (frame[1] !== UPDATE || frame.byteLength <= EMPTY_UPDATE_BYTES) return;
    this.#note(frame, at);
    if (this.#reader) this.eventTimes.push(this.#reader.take(frame));
  }

  #takeJson(frame: Buffer, at: number): void {
    this.#note(frame, at);
    if (this.#reader) this.eventTimes.push(this.#reader.takeJson(frame));
  }

  #note(frame: Buffer, at: number): void {
    this.arrivals.push(at);
    this.bytes += frame.byteLength;
  }
}

/** Address of a document's socket. */
export function socketUrl(url: string, document: string, key: string): string {
  return `${url.replace(/^http/, 'ws')}/sync/${document}?key=${key}`;
}
