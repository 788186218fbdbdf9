import * as Y from 'yjs';
import type { DocumentStore } from './document-store.ts';

/** Origin of updates that came from the store: they are neither stored again nor sent. */
export const FROM_STORE = Symbol('from store');

/** The update of an empty document: no clients, no deletions. */
const EMPTY_UPDATE_BYTES = 2;
const FLUSH_DELAY_MS = 250;
const COMPACT_AFTER_UPDATES = 500;
const COMPACT_AFTER_BYTES = 256 * 1024;
const RETRY_DELAY_MS = 5_000;
/** A hold is given up past these: a blob that never comes must not keep the copy old, nor fill the memory. */
const HOLD_LIMIT_MS = 60_000;
const HOLD_LIMIT_BYTES = 1024 * 1024;

/** What {@link DocumentPersistence.load} found; `unneeded`: the document is in step already; `failed`: it could not be read. */
export type LoadOutcome = 'found' | 'empty' | 'unneeded' | 'failed';

/** How {@link DocumentPersistence} is set up. */
export interface PersistenceOptions {
  readonly doc: Y.Doc;
  readonly store: DocumentStore;
  /** Told of each failed write or load, and null once writing works again. */
  readonly onError: (error: string | null) => void;
}

/**
 * Keeps a copy of a document: a merged snapshot and appended updates, coalesced to one transaction per 250 ms. Only the
 * elected tab writes; the others load. A failed write keeps everything queued, says so and tries again.
 */
export class DocumentPersistence {
  readonly #doc: Y.Doc;
  readonly #store: DocumentStore;
  readonly #onError: (error: string | null) => void;
  #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #storedUpdates = 0;
  #storedBytes = 0;
  #writing = false;
  #failures = 0;
  #held = false;
  #holdTimer: ReturnType<typeof setTimeout> | null = null;
  #compactNext = false;
  /** The store may lack something that the document holds. */
  #isAhead = true;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #flushing: Promise<boolean> = Promise.resolve(true);

  constructor(options: PersistenceOptions) {
    this.#doc = options.doc;
    this.#store = options.store;
    this.#onError = options.onError;
    options.store.onLost = () => this.#rewrite();
  }

  /** The copy may be gone: it is written whole, without waiting for the next change of a quiet fleet. */
  #rewrite(): void {
    this.#compactNext = true;
    this.#schedule(0);
  }

  /**
   * Puts what is stored into the document, in one transaction. Once it is read, `originNow` says as whose work that is
   * to go into the document, or null when the document no longer needs it.
   */
  async load(originNow: () => unknown = () => FROM_STORE): Promise<LoadOutcome> {
    try {
      const { snapshot, updates } = await this.#store.load();
      const origin = originNow();
      if (origin === null) return 'unneeded';
      this.#storedUpdates = updates.length;
      this.#storedBytes = updates.reduce((sum, update) => sum + update.byteLength, 0);
      this.#isAhead = origin !== FROM_STORE || snapshot === null || !isEmpty(this.#doc);
      this.#doc.on('update', this.#onForeign);
      // One transaction: observers run once, not once for each of some hundred updates.
      this.#doc.transact(() => {
        for (const update of snapshot === null ? updates : [snapshot, ...updates]) {
          Y.applyUpdate(this.#doc, update, origin);
        }
      }, origin);
      return (snapshot?.byteLength ?? 0) > EMPTY_UPDATE_BYTES || updates.length > 0 ? 'found' : 'empty';
    } catch (error) {
      this.#onError(messageOf(error));
      return 'failed';
    }
  }

  /**
   * Begins to write: this tab was elected. What the document holds beyond the store is written first; a copy that was just
   * read is not written again, which a start without network would feel.
   */
  startWriting(): void {
    if (this.#writing) return;
    this.#writing = true;
    this.#doc.off('update', this.#onForeign);
    this.#doc.on('update', this.#onUpdate);
    if (!this.#isAhead) return;
    this.#compactNext = true;
    this.#schedule(FLUSH_DELAY_MS);
  }

  /** Writes what is queued and ends. */
  async stop(): Promise<void> {
    this.#stopTimers();
    if (this.#writing) await this.flush();
    this.#writing = false;
    this.#store.close();
  }

  /** Ends without writing: the copy is about to be deleted. */
  discard(): void {
    this.#stopTimers();
    this.#writing = false;
    this.#store.close();
  }

  #stopTimers(): void {
    this.#doc.off('update', this.#onForeign);
    this.#doc.off('update', this.#onUpdate);
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#holdTimer !== null) clearTimeout(this.#holdTimer);
    this.#timer = null;
    this.#holdTimer = null;
  }

  /**
   * While held, updates wait in memory. The tail is held from a trim until its rows are in a stored segment, so that a
   * start without network never meets a copy from which rows are gone and nowhere else yet.
   */
  setHeld(held: boolean): void {
    if (this.#held === held) return;
    this.#held = held;
    if (this.#holdTimer !== null) clearTimeout(this.#holdTimer);
    this.#holdTimer = held ? setTimeout(() => this.setHeld(false), HOLD_LIMIT_MS) : null;
    if (held) this.#appendBeforeHold();
    else this.#schedule(0);
  }

  /** What came before the trim is written as it came: the document itself is trimmed already, its state must wait. */
  #appendBeforeHold(): void {
    if (!this.#writing || this.#compactNext || this.#queue.length === 0) return;
    const updates = this.#queue;
    const bytes = this.#queuedBytes;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#flushing = this.#flushing.then(() => this.#append(updates, bytes));
  }

  /** Writes everything queued; true when it is committed. Calls run one after another. */
  flush(): Promise<boolean> {
    this.#flushing = this.#flushing.then(() => this.#flushOnce());
    return this.#flushing;
  }

  readonly #onUpdate = (update: Uint8Array, origin: unknown): void => {
    if (origin === FROM_STORE) return;
    this.#queue.push(update);
    this.#queuedBytes += update.byteLength;
    this.#schedule(FLUSH_DELAY_MS);
  };

  readonly #onForeign = (_update: Uint8Array, origin: unknown): void => {
    if (origin !== FROM_STORE) this.#isAhead = true;
  };

  #schedule(delayMs: number): void {
    if (!this.#writing || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.flush();
    }, delayMs);
  }

  async #flushOnce(): Promise<boolean> {
    if (!this.#writing) return false;
    if (this.#held && this.#queuedBytes < HOLD_LIMIT_BYTES) return false;
    const updates = this.#queue;
    const bytes = this.#queuedBytes;
    if (updates.length === 0 && !this.#compactNext) return true;
    this.#queue = [];
    this.#queuedBytes = 0;
    const isFull =
      this.#storedUpdates + updates.length > COMPACT_AFTER_UPDATES ||
      this.#storedBytes + bytes > COMPACT_AFTER_BYTES;
    return this.#compactNext || isFull ? this.#compact() : this.#append(updates, bytes);
  }

  #append(updates: readonly Uint8Array[], bytes: number): Promise<boolean> {
    return this.#write(async () => {
      await this.#store.append(updates);
      this.#storedUpdates += updates.length;
      this.#storedBytes += bytes;
    });
  }

  #compact(): Promise<boolean> {
    const snapshot = Y.encodeStateAsUpdate(this.#doc);
    this.#compactNext = false;
    return this.#write(async () => {
      await this.#store.replace(snapshot);
      this.#storedUpdates = 0;
      this.#storedBytes = 0;
    });
  }

  async #write(transaction: () => Promise<void>): Promise<boolean> {
    try {
      await transaction();
      this.#failures = 0;
      this.#onError(null);
      return true;
    } catch (error) {
      // The document itself is the best queue: the next attempt writes it whole, and the first of them at once, because a
      // copy that the browser cleared is made good by just that.
      this.#compactNext = true;
      this.#failures += 1;
      if (this.#failures > 1) this.#onError(messageOf(error));
      this.#schedule(this.#failures > 1 ? RETRY_DELAY_MS : 0);
      return false;
    }
  }
}

function isEmpty(doc: Y.Doc): boolean {
  return doc.store.clients.size === 0;
}

function messageOf(error: unknown): string {
  if (error instanceof Error && error.name === 'QuotaExceededError') {
    return 'The browser has no room left for this site.';
  }
  return error instanceof Error && error.message !== '' ? error.message : 'The browser refused to write.';
}
