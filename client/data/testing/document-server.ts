import { once } from 'node:events';
import { readSyncMessage, writeSyncStep1, writeUpdate } from 'y-protocols/sync';
import { createDecoder, readVarUint } from 'lib0/decoding';
import { createEncoder, length, toUint8Array, writeVarUint } from 'lib0/encoding';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import * as Y from 'yjs';
import { readOutbox } from '#sync/outbox-doc.ts';
import type { OutboxContent } from '#sync/outbox-doc.ts';

const SYNC = 0;

/** What a frame was about. */
export type Heard = 'clock' | 'step' | 'other';

/** Documents behind real sockets, in y-websocket's words: every client may write, and sockets close on demand. */
export class DocumentServer {
  readonly #server: WebSocketServer;
  readonly #docs = new Map<string, Y.Doc>();
  readonly #sockets = new Map<WebSocket, string>();
  /** Kinds of frames of each connection, in order. */
  readonly heard: Heard[][] = [];
  /** Close every new connection to a document at once with this. */
  readonly refuses = new Map<string, { readonly code: number; readonly reason: string }>();
  /** Documents that were asked for, in order. */
  readonly asked: string[] = [];

  private constructor(server: WebSocketServer) {
    this.#server = server;
    server.on('connection', (socket, request) =>
      this.#accept(socket, decodeURIComponent(request.url ?? '').replace(/^\/(sync\/)?/, '')),
    );
  }

  static async start(): Promise<DocumentServer> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    return new DocumentServer(server);
  }

  get url(): string {
    const address = this.#server.address();
    if (typeof address === 'string' || address === null) throw new Error('the server does not listen');
    return `ws://127.0.0.1:${address.port}`;
  }

  /** A document as it is here; what is written into it goes to all sockets. */
  doc(name: string): Y.Doc {
    const known = this.#docs.get(name);
    if (known) return known;
    const doc = new Y.Doc();
    this.#docs.set(name, doc);
    return doc;
  }

  /** What stands in an outbox. */
  read(name: string): OutboxContent {
    return readOutbox(this.doc(name));
  }

  /** A link that stands and is dead: what comes is not read any more. */
  freeze(): void {
    for (const socket of this.#sockets.keys()) socket.pause();
  }

  /** Ends all sockets: with a code, or as a network that goes. */
  cut(code?: number, reason = ''): void {
    for (const socket of this.#sockets.keys()) {
      if (code === undefined) socket.terminate();
      else socket.close(code, reason);
    }
  }

  async stop(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: WebSocket, name: string): void {
    this.asked.push(name);
    const refusal = this.refuses.get(name);
    if (refusal) {
      socket.close(refusal.code, refusal.reason);
      return;
    }
    const doc = this.doc(name);
    const heard: Heard[] = [];
    this.heard.push(heard);
    this.#sockets.set(socket, name);
    const onUpdate = (update: Uint8Array, origin: unknown): void => {
      if (origin !== socket) socket.send(frame((encoder) => writeUpdate(encoder, update)));
    };
    doc.on('update', onUpdate);
    socket.on('message', (data: Buffer) => {
      const decoder = createDecoder(Uint8Array.from(data));
      const type = readVarUint(decoder);
      heard.push(type === SYNC ? 'step' : type === 100 ? 'clock' : 'other');
      if (type !== SYNC) return;
      const encoder = createEncoder();
      writeVarUint(encoder, SYNC);
      readSyncMessage(decoder, encoder, doc, socket);
      if (length(encoder) > 1) socket.send(toUint8Array(encoder));
    });
    socket.on('close', () => {
      doc.off('update', onUpdate);
      this.#sockets.delete(socket);
    });
    socket.send(frame((encoder) => writeSyncStep1(encoder, doc)));
  }
}

function frame(write: (encoder: ReturnType<typeof createEncoder>) => void): Uint8Array {
  const encoder = createEncoder();
  writeVarUint(encoder, SYNC);
  write(encoder);
  return toUint8Array(encoder);
}
