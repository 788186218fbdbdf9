import * as Y from 'yjs';
import type { DocumentSource, SharedDocument } from '#sync/shared-document.ts';

/** Documents in memory: what is written counts as committed at once. */
export interface MemoryDocuments extends DocumentSource {
  /** Changes a document as the collector's flush would. */
  write(name: string, change: (doc: Y.Doc) => void): void;
  doc(name: string): Y.Doc;
  fail(): void;
  recover(): void;
  /** Loads the documents anew, empty, without saying so. */
  reload(): void;
  nextGeneration(): void;
}

/** A source of `fleet@g1` and `tail@g1`. */
export function memoryDocuments(): MemoryDocuments {
  let generation = 1;
  let failed = false;
  let documents = new Map<string, SharedDocument>();
  const droppedListeners = new Set<(why: 'store_failed' | 'generation') => void>();
  const names = (): { fleet: string; tail: string } => ({
    fleet: `fleet@g${generation}`,
    tail: `tail@g${generation}`,
  });
  const load = (): void => {
    documents = new Map(Object.values(names()).map((name) => [name, sharedDocument(name)]));
  };
  const known = (name: string): SharedDocument => {
    const document = documents.get(name);
    if (!document) throw new Error(`no document ${name}`);
    return document;
  };
  load();
  return {
    names,
    open: (name) => (failed ? null : (documents.get(name) ?? null)),
    unavailable: () => failed,
    onDropped(listener) {
      droppedListeners.add(listener);
      return () => droppedListeners.delete(listener);
    },
    write: (name, change) => known(name).doc.transact(() => change(known(name).doc)),
    doc: (name) => known(name).doc,
    fail() {
      failed = true;
      for (const listener of droppedListeners) listener('store_failed');
    },
    recover() {
      failed = false;
    },
    reload: load,
    nextGeneration() {
      generation += 1;
      load();
      for (const listener of droppedListeners) listener('generation');
    },
  };
}

function sharedDocument(name: string): SharedDocument {
  const doc = new Y.Doc();
  return {
    name,
    doc,
    onUpdate(listener) {
      const forward = (update: Uint8Array): void => listener(update);
      doc.on('update', forward);
      return () => doc.off('update', forward);
    },
  };
}
