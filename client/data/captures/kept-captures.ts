import type { DBSchema } from 'idb';
import { type Capture, capture, type CaptureKey } from '#shared/schemas/capture.ts';
import { BrowserDatabase } from '../browser-database.ts';
import type { KeptTotals } from './totals-cell.ts';

/** What captures may take on a device. */
const MAX_BYTES = 20_000_000;

interface KeptCapture {
  readonly capture: unknown;
  readonly bytes: number;
  readonly openedAt: number;
}

interface CaptureSchema extends DBSchema {
  captures: { key: string; value: KeptCapture; indexes: { openedAt: number } };
}

/** The captures that were opened on this device, to be read without a connection; those opened longest ago go first. */
export class KeptCaptures {
  readonly #database: BrowserDatabase<CaptureSchema>;
  readonly #maxBytes: number;

  constructor(name: string, maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
    this.#database = new BrowserDatabase(name, (database) => {
      database.createObjectStore('captures').createIndex('openedAt', 'openedAt');
    });
  }

  /** Null: it is not here, or of a shape that this version cannot read. */
  async load(key: CaptureKey, now: number): Promise<Capture | null> {
    const database = await this.#database.open();
    const kept = await database.get('captures', nameOf(key));
    if (kept === undefined) return null;
    const read = capture.safeParse(kept.capture);
    if (!read.success) return null;
    await database.put('captures', { ...kept, openedAt: now }, nameOf(key));
    return read.data;
  }

  async save(key: CaptureKey, value: Capture, now: number): Promise<void> {
    const database = await this.#database.open();
    const transaction = database.transaction('captures', 'readwrite');
    const bytes = JSON.stringify(value).length;
    await transaction.store.put({ capture: value, bytes, openedAt: now }, nameOf(key));
    let total = 0;
    const newestFirst = transaction.store.index('openedAt').openCursor(null, 'prev');
    for (let cursor = await newestFirst; cursor !== null; cursor = await cursor.continue()) {
      total += cursor.value.bytes;
      if (total > this.#maxBytes) await cursor.delete();
    }
    await transaction.done;
  }

  async totals(): Promise<KeptTotals> {
    const database = await this.#database.open();
    const kept = await database.getAll('captures');
    return { count: kept.length, bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  /** Forgets all of them: whoever uses this device may not read them any more. */
  async clear(): Promise<void> {
    const database = await this.#database.open();
    await database.clear('captures');
  }
}

function nameOf({ hostId, idEpoch, id }: CaptureKey): string {
  return JSON.stringify([hostId, idEpoch, id]);
}
