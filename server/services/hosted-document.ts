import * as Y from 'yjs';
import { formatDocName } from '#sync/doc-name.ts';
import type { DocKind } from '#sync/doc-name.ts';
import type { SharedDocument } from '#sync/shared-document.ts';
import type { Store } from '../domain/store-ports.ts';

/** Updates of a document after which its whole state is stored instead, so that loading stays quick. */
const COMPACT_AFTER_UPDATES = 2000;

/** A document in memory: what a transaction changed is kept aside until it is committed, and only then told to others. */
export class HostedDocument implements SharedDocument {
  readonly kind: DocKind;
  readonly generation: number;
  readonly createdAt: number;
  /** Its client id is fresh at each load: a pinned one whose last updates were lost would diverge for good. */
  readonly doc = new Y.Doc();
  readonly #listeners = new Set<(update: Uint8Array) => void>();
  #pending: Uint8Array[] = [];
  #storedUpdates = 0;
  #version = 0;
  #size: { readonly version: number; readonly bytes: number } | null = null;

  private constructor(kind: DocKind, generation: number, createdAt: number) {
    this.kind = kind;
    this.generation = generation;
    this.createdAt = createdAt;
  }

  /** The stored document, inside the caller's transaction; a new generation when none can be read. */
  static load(kind: DocKind, store: Store, now: number): HostedDocument {
    const stored = store.documents.load(kind);
    if (!stored) return HostedDocument.create(kind, { generation: 1, now }, store);
    const hosted = new HostedDocument(kind, stored.generation, stored.createdAt);
    try {
      // One transaction for all: several times faster than one for each.
      hosted.doc.transact(() => {
        if (stored.state) Y.applyUpdate(hosted.doc, stored.state);
        for (const update of stored.updates) Y.applyUpdate(hosted.doc, update);
      });
    } catch {
      // Bytes that do not decode: the rows have it all, clients take the new generation.
      return HostedDocument.create(kind, { generation: stored.generation + 1, now }, store);
    }
    hosted.#storedUpdates = stored.updates.length;
    hosted.#capture();
    return hosted;
  }

  /** An empty document of a new generation, inside the caller's transaction. */
  static create(
    kind: DocKind,
    { generation, now }: { readonly generation: number; readonly now: number },
    store: Store,
  ): HostedDocument {
    store.documents.create(kind, generation, now);
    const hosted = new HostedDocument(kind, generation, now);
    hosted.#capture();
    return hosted;
  }

  get name(): string {
    return formatDocName({ kind: this.kind, generation: this.generation });
  }

  /** True while there are changes that no commit has carried yet. */
  get changed(): boolean {
    return this.#pending.length > 0;
  }

  /** Bytes of the whole document, encoded. */
  sizeBytes(): number {
    if (this.#size?.version !== this.#version) {
      this.#size = { version: this.#version, bytes: Y.encodeStateAsUpdate(this.doc).byteLength };
    }
    return this.#size.bytes;
  }

  /** Writes the pending changes inside the caller's transaction: as an update, or as the whole state when it is time. */
  persist(store: Store, compact: boolean): void {
    if (!this.changed && !(compact && this.#storedUpdates > 0)) return;
    if (compact || this.#storedUpdates + this.#pending.length > COMPACT_AFTER_UPDATES) {
      store.documents.compact(this.kind, Y.encodeStateAsUpdate(this.doc));
      this.#storedUpdates = 0;
      return;
    }
    for (const update of this.#pending) store.documents.append(this.kind, update);
    this.#storedUpdates += this.#pending.length;
  }

  /** Tells listeners what was committed. */
  publish(): void {
    const updates = this.#pending;
    this.#pending = [];
    if (updates.length > 0) this.#version += 1;
    for (const update of updates) for (const listener of this.#listeners) listener(update);
  }

  onUpdate(listener: (update: Uint8Array) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Lets go of the document and of those who listen. */
  close(): void {
    this.#listeners.clear();
    this.#pending = [];
    this.doc.destroy();
  }

  #capture(): void {
    this.doc.on('update', (update: Uint8Array) => this.#pending.push(update));
  }
}
