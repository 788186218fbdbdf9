/** What is stored of one document: a merged snapshot and the updates that came after it, oldest first. */
export interface StoredDocument {
  readonly snapshot: Uint8Array | null;
  readonly updates: readonly Uint8Array[];
}

/** Where the copy of one document is kept. Every promise settles after the transaction committed or failed. */
export interface DocumentStore {
  load(): Promise<StoredDocument>;
  /** Adds `updates` in one transaction. Rejects where there is no snapshot to add them to: the browser cleared it. */
  append(updates: readonly Uint8Array[]): Promise<void>;
  /** Puts `snapshot` in place of everything stored, in one transaction. */
  replace(snapshot: Uint8Array): Promise<void>;
  close(): void;
  /** Called when what was stored may be gone. */
  onLost: () => void;
}
