import type { DBSchema, IDBPDatabase } from 'idb';
import { BrowserDatabase } from '../browser-database.ts';
import type { SegmentStore } from './segment-store.ts';
import type { HeldSegment } from './storage-plan.ts';

interface SegmentSchema extends DBSchema {
  /** Notes and bytes are apart, so that listing never reads megabytes. */
  notes: { key: string; value: HeldSegment };
  bytes: { key: string; value: Uint8Array };
}

/** Sealed segments in IndexedDB, opened again whenever the browser closed it. */
export class SegmentDatabase implements SegmentStore {
  readonly #database: BrowserDatabase<SegmentSchema>;

  /** `onLost` is called when the browser closed the database: it may have cleared it. */
  constructor(name: string, onLost: () => void) {
    this.#database = new BrowserDatabase(
      name,
      (database) => {
        database.createObjectStore('notes');
        database.createObjectStore('bytes');
      },
      onLost,
    );
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
    return this.#database.open();
  }
}
