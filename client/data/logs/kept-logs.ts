import type { DBSchema } from 'idb';
import type { LogWish } from '#shared/schemas/live.ts';
import type { LogEntry } from '#sync/log-frame.ts';
import { BrowserDatabase } from '../browser-database.ts';

/** Logs that are kept, those opened last, and lines of each. */
const MAX_KEPT = 12;
const MAX_LINES = 2_000;

/** What is kept of a log. */
export interface KeptLog {
  readonly entries: readonly LogEntry[];
  /** Collector time of the newest frame. */
  readonly asOf: number;
}

interface LogSchema extends DBSchema {
  logs: { key: string; value: KeptLog; indexes: { asOf: number } };
}

/** The logs that were opened on this device, to be read without a connection. The collector holds more. */
export class KeptLogs {
  readonly #database: BrowserDatabase<LogSchema>;

  constructor(name: string) {
    this.#database = new BrowserDatabase(name, (database) => {
      database.createObjectStore('logs').createIndex('asOf', 'asOf');
    });
  }

  async load(wish: LogWish): Promise<KeptLog | null> {
    const database = await this.#database.open();
    return (await database.get('logs', keyOf(wish))) ?? null;
  }

  async save(wish: LogWish, log: KeptLog): Promise<void> {
    const database = await this.#database.open();
    const transaction = database.transaction('logs', 'readwrite');
    await transaction.store.put({ ...log, entries: log.entries.slice(-MAX_LINES) }, keyOf(wish));
    // The oldest first.
    const keys = await transaction.store.index('asOf').getAllKeys();
    await Promise.all(keys.slice(0, -MAX_KEPT).map((key) => transaction.store.delete(key)));
    await transaction.done;
  }
}

function keyOf({ hostId, modelId }: LogWish): string {
  return JSON.stringify([hostId, modelId]);
}
