import type { DBSchema } from 'idb';
import { BrowserDatabase } from '../browser-database.ts';
import { queueRow } from './queue-row.ts';
import type { QueueRow } from './queue-row.ts';
import type { QueueStore, RowChange } from './queue-store.ts';

interface QueueSchema extends DBSchema {
  rows: { key: string; value: unknown };
}

/**
 * The queue in IndexedDB. Durability is strict: what a person asked for exists nowhere else, so "stored" means on disk.
 * Its database belongs to no generation and no session: it outlives both.
 */
export class QueueDatabase implements QueueStore {
  readonly #database: BrowserDatabase<QueueSchema>;

  constructor(name: string) {
    this.#database = new BrowserDatabase(name, (database) => {
      database.createObjectStore('rows');
    });
  }

  async load(): Promise<readonly QueueRow[]> {
    const database = await this.#database.open();
    const stored = await database.getAll('rows');
    return stored.flatMap((row) => queueRow.safeParse(row).data ?? []);
  }

  async change(
    ids: readonly string[],
    decide: (rows: ReadonlyMap<string, QueueRow>) => RowChange,
  ): Promise<RowChange> {
    const database = await this.#database.open();
    const transaction = database.transaction('rows', 'readwrite', { durability: 'strict' });
    const work = async (): Promise<RowChange> => {
      const known = new Map<string, QueueRow>();
      for (const stored of await Promise.all(ids.map((id) => transaction.store.get(id)))) {
        const row = queueRow.safeParse(stored).data;
        if (row) known.set(row.id, row);
      }
      const change = decide(known);
      await Promise.all([
        ...change.put.map((row) => transaction.store.put(row, row.id)),
        ...(change.remove ?? []).map((id) => transaction.store.delete(id)),
      ]);
      return change;
    };
    // The first to fail says why; `done` is what counts: it is committed.
    const [change] = await Promise.all([work(), transaction.done]);
    return change;
  }

  close(): void {
    this.#database.close();
  }
}
