import type { DocumentStore, StoredDocument } from '../replica/document-store.ts';

/** A document's copy in memory that can be made to refuse, and counts its transactions. */
export class MemoryDocumentStore implements DocumentStore {
  snapshot: Uint8Array | null = null;
  updates: Uint8Array[] = [];
  refuses = false;
  transactions = 0;
  onLost = (): void => undefined;

  load(): Promise<StoredDocument> {
    return this.#answer(() => ({ snapshot: this.snapshot, updates: [...this.updates] }));
  }

  append(updates: readonly Uint8Array[]): Promise<void> {
    if (this.snapshot === null) return Promise.reject(new Error('cleared'));
    return this.#answer(() => {
      this.transactions += 1;
      this.updates.push(...updates);
    });
  }

  /** As a browser that needs room. */
  clear(): void {
    this.snapshot = null;
    this.updates = [];
    this.onLost();
  }

  replace(snapshot: Uint8Array): Promise<void> {
    return this.#answer(() => {
      this.transactions += 1;
      this.snapshot = snapshot;
      this.updates = [];
    });
  }

  close(): void {
    this.refuses = true;
  }

  #answer<T>(act: () => T): Promise<T> {
    return this.refuses ? Promise.reject(new Error('no room')) : Promise.resolve(act());
  }
}
