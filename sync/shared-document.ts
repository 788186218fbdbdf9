import type * as Y from 'yjs';

/** A document of the collector as committed: readers never see a change before its commit. */
export interface SharedDocument {
  readonly name: string;
  /** Read it, never write it: only the collector's flush does. */
  readonly doc: Y.Doc;
  /** Called with each committed update (Yjs V1), in order, after its commit; the returned function unsubscribes. */
  onUpdate(listener: (update: Uint8Array) => void): () => void;
}

/** Where the sync server gets its documents. */
export interface DocumentSource {
  /** Current names, such as `fleet@g1`. */
  names(): { readonly fleet: string; readonly tail: string };
  /** The loaded document, or null when the name is unknown, of another generation, or the store is down. */
  open(name: string): SharedDocument | null;
  /** True while the store cannot commit: sockets are closed 4503 and refused. */
  unavailable(): boolean;
  /** Called when all documents were dropped: the store failed (4503) or a generation changed (4404). */
  onDropped(listener: (why: 'store_failed' | 'generation') => void): () => void;
}
