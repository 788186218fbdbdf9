import { openDB } from 'idb';
import type { DBSchema, IDBPDatabase } from 'idb';
import type { SegmentStore } from './segment-store.ts';
import type { HeldSegment } from './storage-plan.ts';

interface SegmentSchema extends DBSchema {
  /** Notes and bytes are apart, so that listing never reads megabytes. */
  notes: { key: string; value: HeldSegment };
  bytes: { key: string; value: Uint8Array };
}

/** Sealed segments in IndexedDB, opened again whenever the browser closed it. */
export class SegmentDatabase implements SegmentStore {
  readonly #name: string;
  readonly #onLost: () => void;
  #opening: Promise<IDBPDatabase<SegmentSchema>> | null = null;

  /** `onLost` is called when the browser closed the database: it may have cleared it. */
  constructor(name: string, onLost: () => void) {
    this.#name = name;
    this.#onLost = onLost;
  }

  async list(): Promise<readonly HeldSegment[]> {
    return (await this.#open()).getAll('notes');
  }

  async read(hash: string): Promise<Uint8Array | null> {
    return (await (await this.#open()).get('bytes', hash)) ?? null;
  }

  async put(segment: HeldSegment, bytes: Uint8Array): Promise<void> {
    const transaction = (await this.#open()).transaction(['notes', 'bytes'], 'readwrite', {
      durability: 'relaxed',
    });
    await Promise.all([
      transaction.objectStore('bytes').put(bytes, segment.hash),
      transaction.objectStore('notes').put(segment, segment.hash),
      transaction.done,
    ]);
  }

  async pin(hash: string, pinnedAt: number): Promise<void> {
    const transaction = (await this.#open()).transaction('notes', 'readwrite');
    const note = await transaction.store.get(hash);
    if (note) await transaction.store.put({ ...note, pinnedAt }, hash);
    await transaction.done;
  }

  async drop(hashes: readonly string[]): Promise<void> {
    const transaction = (await this.#open()).transaction(['notes', 'bytes'], 'readwrite');
    await Promise.all([
      ...hashes.flatMap((hash) => [
        transaction.objectStore('bytes').delete(hash),
        transaction.objectStore('notes').delete(hash),
      ]),
      transaction.done,
    ]);
  }

  #open(): Promise<IDBPDatabase<SegmentSchema>> {
    if (this.#opening) return this.#opening;
    const forget = (): void => {
      this.#opening = null;
    };
    const opening = openDB<SegmentSchema>(this.#name, 1, {
      upgrade: (database) => {
        database.createObjectStore('notes');
        database.createObjectStore('bytes');
      },
      blocking: (_current, _blocked, event) => {
        forget();
        if (event.target instanceof IDBDatabase) event.target.close();
      },
      terminated: () => {
        forget();
        this.#onLost();
      },
    });
    opening.catch(forget);
    this.#opening = opening;
    return opening;
  }
}
