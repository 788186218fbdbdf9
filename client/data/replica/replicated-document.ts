import type { Decoder } from 'lib0/decoding';
import * as Y from 'yjs';
import type { SocketState } from './connection-view.ts';
import { NO_SOCKET } from './connection-view.ts';
import type { DocumentConnection } from './document-connection.ts';
import { DocumentPersistence, FROM_STORE } from './document-persistence.ts';
import type { DocumentStore } from './document-store.ts';

/** How a {@link ReplicatedDocument} is set up. */
export interface ReplicatedDocumentOptions {
  readonly url: string;
  readonly name: string;
  /** Where its copy is kept; null: nowhere. */
  readonly store: DocumentStore | null;
  readonly onState: () => void;
  readonly onRefused: (code: number, reason: string) => void;
  readonly onStorageError: (error: string | null) => void;
  readonly onLive: (decoder: Decoder) => void;
}

type ConnectionModule = typeof import('./document-connection.ts');

/** The code of the sockets: no part of the first load where a copy paints first. */
export function loadConnection(): Promise<ConnectionModule> {
  return import('./document-connection.ts');
}

/** The network does not wait longer than this for the local copy. */
const LOAD_TIMEOUT_MS = 1_000;

/** One document of the collector on this device: its copy first, then its socket. */
export class ReplicatedDocument {
  readonly name: string;
  readonly doc = new Y.Doc();
  readonly #options: ReplicatedDocumentOptions;
  readonly #persistence: DocumentPersistence | null;
  #connection: DocumentConnection | null = null;
  /** Whether it should have a socket; the code for one comes after the first paint. */
  #isWanted = false;
  #elected = false;
  #closed = false;

  constructor(options: ReplicatedDocumentOptions) {
    this.name = options.name;
    this.#options = options;
    this.#persistence =
      options.store &&
      new DocumentPersistence({ doc: this.doc, store: options.store, onError: options.onStorageError });
  }

  /**
   * Loads the copy; resolves after a second at the latest. A slower copy still comes in: offline there is nothing else,
   * and a device that is slow once would show less than it holds.
   */
  async load(): Promise<void> {
    if (this.#persistence === null) return;
    const loading = this.#loadCopy(this.#persistence);
    const timeout = new Promise<void>((resolve) => {
      setTimeout(resolve, LOAD_TIMEOUT_MS);
    });
    await Promise.race([loading, timeout]);
  }

  async #loadCopy(persistence: DocumentPersistence): Promise<void> {
    const outcome = await persistence.load(() => this.#originOfCopy());
    // A copy that could not be read is not written over before a whole one has come.
    if (this.#elected && !this.#closed && outcome !== 'failed') persistence.startWriting();
  }

  /** Beside an open socket the copy goes in as if it had come from there: as this device's own writing it would be sent. */
  #originOfCopy(): unknown {
    if (this.#closed || this.socket().phase === 'synced') return null;
    return this.#connection?.origin ?? FROM_STORE;
  }

  /** Opens the socket, after {@link load}. */
  connect(): void {
    this.#isWanted = true;
    void loadConnection().then(
      (module) => this.#connectBy(module),
      // Without a service worker and without the collector there is no code either: `reconnectNow` asks again.
      () => undefined,
    );
  }

  #connectBy(module: ConnectionModule): void {
    if (this.#connection !== null || this.#closed || !this.#isWanted) return;
    const { url, onRefused, onLive } = this.#options;
    this.#connection = new module.DocumentConnection({
      url,
      name: this.name,
      doc: this.doc,
      onState: () => this.#onState(),
      onRefused,
      onLive,
    });
    this.#connection.connect();
  }

  /** Closes the socket and keeps the copy. */
  disconnect(): void {
    this.#isWanted = false;
    this.#connection?.destroy();
    this.#connection = null;
    this.#options.onState();
  }

  /** This tab writes the copy from now on. */
  elect(): void {
    this.#elected = true;
    // A tab that waited may lag behind what the last one wrote: it writes once it is in step itself.
    if (this.socket().phase === 'synced') this.#persistence?.startWriting();
  }

  socket(): SocketState {
    return this.#connection?.state() ?? NO_SOCKET;
  }

  /** Updates arrived that others must come before: the copy has a hole. */
  isIncomplete(): boolean {
    return this.doc.store.pendingStructs !== null;
  }

  reconnectNow(): void {
    if (this.#connection !== null) this.#connection.reconnectNow();
    else if (this.#isWanted) this.connect();
  }

  send(frame: Uint8Array): void {
    this.#connection?.send(Uint8Array.from(frame));
  }

  setHeld(held: boolean): void {
    this.#persistence?.setHeld(held);
  }

  /** True when everything that arrived is committed on this device. */
  flush(): Promise<boolean> {
    return this.#persistence?.flush() ?? Promise.resolve(false);
  }

  /** Ends it; `keep` false: its database is about to be deleted, nothing is written any more. */
  async close(keep: boolean): Promise<void> {
    this.#closed = true;
    this.#connection?.destroy();
    this.#connection = null;
    if (keep) await this.#persistence?.stop();
    else this.#persistence?.discard();
    this.doc.destroy();
  }

  #onState(): void {
    if (this.#elected && this.socket().phase === 'synced') this.#persistence?.startWriting();
    this.#options.onState();
  }
}
