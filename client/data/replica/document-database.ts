import { deleteDB } from 'idb';
import type { DBSchema, IDBPTransaction } from 'idb';
import { BrowserDatabase, withTimeout } from '../browser-database.ts';
import type { DocumentStore, StoredDocument } from './document-store.ts';

interface DocumentSchema extends DBSchema {
  snapshot: { key: 'state'; value: Uint8Array };
  updates: { key: number; value: Uint8Array };
}

const PREFIX = 'drover/';
const DELETE_TIMEOUT_MS = 5_000;

/** Name of the queue of intents: one for all tabs and sessions of this browser, deleted only when the copy is wiped. */
export const QUEUE_DATABASE = `${PREFIX}queue`;

/**
 * Name of a document's database: device and generation are part of it, so that neither another person's copy nor one
 * from before a restore is ever read by mistake. The origin belongs to every IndexedDB name by itself.
 */
export function documentDatabaseName(deviceId: string, documentName: string): string {
  return `${PREFIX}${deviceId}/${documentName}`;
}

/**
 * A document's copy in IndexedDB. Durability is relaxed, because the collector has the truth: what a crash takes comes
 * back with the next sync.
 */
export class DocumentDatabase implements DocumentStore {
  readonly #database: BrowserDatabase<DocumentSchema>;
  onLost = (): void => undefined;

  constructor(name: string) {
    this.#database = new BrowserDatabase(
      name,
      (database) => {
        database.createObjectStore('snapshot');
        database.createObjectStore('updates', { autoIncrement: true });
      },
      () => this.onLost(),
    );
  }

  async load(): Promise<StoredDocument> {
    const database = await this.#database.open();
    const transaction = database.transaction(['snapshot', 'updates'], 'readonly');
    const [snapshot, updates] = await Promise.all([
      transaction.objectStore('snapshot').get('state'),
      transaction.objectStore('updates').getAll(),
    ]);
    return { snapshot: snapshot ?? null, updates };
  }

  async append(updates: readonly Uint8Array[]): Promise<void> {
    await this.#write(async (transaction) => {
      if ((await transaction.objectStore('snapshot').getKey('state')) === undefined) {
        transaction.abort();
        throw new Error('The browser cleared the copy on this device.');
      }
      const store = transaction.objectStore('updates');
      await Promise.all(updates.map((update) => store.add(update)));
    });
  }

  async replace(snapshot: Uint8Array): Promise<void> {
    await this.#write(async (transaction) => {
      await Promise.all([
        transaction.objectStore('snapshot').put(snapshot, 'state'),
        transaction.objectStore('updates').clear(),
      ]);
    });
  }

  close(): void {
    this.#database.close();
  }

  async #write(
    put: (
      transaction: IDBPTransaction<DocumentSchema, ('snapshot' | 'updates')[], 'readwrite'>,
    ) => Promise<void>,
  ): Promise<void> {
    const database = await this.#database.open();
    const transaction = database.transaction(['snapshot', 'updates'], 'readwrite', {
      durability: 'relaxed',
    });
    // The first to fail says why; `done` is what counts: it is committed.
    await Promise.all([put(transaction), transaction.done]);
  }
}

/** Deletes one database, open or not; nothing happens when there is none. */
export async function deleteDatabase(name: string): Promise<void> {
  if (typeof indexedDB === 'undefined') return;
  await withTimeout(deleteDB(name), DELETE_TIMEOUT_MS);
}

/** Deletes databases for which `keep` is false; where the browser cannot list them, no more than the queue. */
export async function deleteDatabases(keep: (name: string) => boolean): Promise<void> {
  if (typeof indexedDB === 'undefined') return;
  const all =
    typeof indexedDB.databases === 'function' ? await indexedDB.databases() : [{ name: QUEUE_DATABASE }];
  const names = all.flatMap(({ name }) => (name?.startsWith(PREFIX) && !keep(name) ? [name] : []));
  await Promise.all(names.map(deleteDatabase));
}
