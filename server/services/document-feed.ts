import * as Y from 'yjs';
import type { SharedDocument } from '#sync/shared-document.ts';
import type { DeleteRange } from '#sync/sync-frame.ts';
import { encodeStep1, encodeStep2, encodeUpdate } from '#sync/sync-frame.ts';

/** State vectors longer than this are answered, but the answer is not kept. */
const CACHED_VECTOR_BYTES = 256;
const CACHED_ANSWERS = 32;
const EMPTY_VECTOR = '\u0000';

/**
 * One document on its way to its sockets. What is asked often is encoded once until the next update: step 1, and step 2
 * for a state vector. A hundred clients that come back after a restart, empty or all at the same state, cost one encoding.
 */
export class DocumentFeed {
  readonly document: SharedDocument;
  readonly #stopListening: () => void;
  readonly #sockets = new Set<(frame: Uint8Array) => void>();
  readonly #answers = new Map<string, Uint8Array>();
  #pending: Uint8Array[] = [];
  #step1: Uint8Array | null = null;
  #deleteSet: ReturnType<typeof Y.createDeleteSetFromStructStore> | null = null;

  constructor(document: SharedDocument) {
    this.document = document;
    this.#stopListening = document.onUpdate((update) => this.#onUpdate(update));
  }

  /** Calls `send` with every update frame; the same buffer goes to all. The returned function ends it. */
  join(send: (frame: Uint8Array) => void): () => void {
    this.#sockets.add(send);
    return () => this.#sockets.delete(send);
  }

  get sockets(): number {
    return this.#sockets.size;
  }

  /** Stops listening to the document. */
  stop(): void {
    this.#stopListening();
    this.#pending = [];
  }

  /** What the server has, as a frame. */
  step1(): Uint8Array {
    this.#step1 ??= encodeStep1(Y.encodeStateVector(this.document.doc));
    return this.#step1;
  }

  /** What a client with this state vector lacks, as a frame. */
  step2(stateVector: Uint8Array): Uint8Array {
    const key = Buffer.from(stateVector).toString('latin1');
    const known = this.#answers.get(key);
    if (known) return known;
    const frame = encodeStep2(Y.encodeStateAsUpdate(this.document.doc, stateVector));
    if (stateVector.byteLength > CACHED_VECTOR_BYTES) return frame;
    if (this.#answers.size >= CACHED_ANSWERS) this.#answers.clear();
    this.#answers.set(key, frame);
    return frame;
  }

  /** True when a client with this state vector holds structs that the document does not have. */
  lacksSomeOf(stateVector: Uint8Array): boolean {
    const { store } = this.document.doc;
    for (const [client, clock] of Y.decodeStateVector(stateVector)) {
      if (clock > Y.getState(store, client)) return true;
    }
    return false;
  }

  /** True when all of these deletions are in the document already. */
  knowsDeletes(ranges: readonly DeleteRange[]): boolean {
    if (ranges.length === 0) return true;
    this.#deleteSet ??= Y.createDeleteSetFromStructStore(this.document.doc.store);
    const { clients } = this.#deleteSet;
    return ranges.every(({ client, clock, length }) => {
      const known = clients.get(client) ?? [];
      // Ranges of a delete set are merged and ascending, so one that covers the end covers it all or not at all.
      let low = 0;
      let high = known.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >>> 1;
        if ((known[middle]?.clock ?? 0) <= clock) low = middle;
        else high = middle - 1;
      }
      const range = known[low];
      return range !== undefined && range.clock <= clock && clock + length <= range.clock + range.len;
    });
  }

  /** Sizes, as far as they are known without work. */
  gauges(): { readonly sockets: number; readonly bytes: number | null; readonly pendingStructs: boolean } {
    return {
      sockets: this.#sockets.size,
      bytes: this.#answers.get(EMPTY_VECTOR)?.byteLength ?? null,
      pendingStructs: this.document.doc.store.pendingStructs !== null,
    };
  }

  #onUpdate(update: Uint8Array): void {
    this.#answers.clear();
    this.#step1 = null;
    this.#deleteSet = null;
    this.#pending.push(update);
    // A flush may commit several updates in a row: they leave as one frame, once the flush has returned.
    if (this.#pending.length === 1) queueMicrotask(() => this.#broadcast());
  }

  #broadcast(): void {
    const [first, ...rest] = this.#pending;
    if (!first) return;
    const frame = encodeUpdate(rest.length === 0 ? first : Y.mergeUpdates(this.#pending));
    this.#pending = [];
    for (const send of this.#sockets) send(frame);
  }
}
