import { deleteDB, openDB } from 'idb';
import type { DBSchema, IDBPDatabase, IDBPTransaction } from 'idb';
import type { DocumentStore, StoredDocument } from './document-store.ts';

interface DocumentSchema extends DBSchema {
  snapshot: { key: 'state'; value: Uint8Array };
  updates: { key: number; value: Uint8Array };
}

const PREFIX = 'drover/';
const OPEN_TIMEOUT_MS = 5_000;

/**
 * Name of a document's database: device and generation are part of it, so that neither another person's copy nor one
 * from before a restore is ever read by mistake. The origin belongs to every IndexedDB name by itself.
 */
export function documentDatabaseName(deviceId: string, documentName: string): string {
  return `${PREFIX}${deviceId}/${documentName}`;
}

/**
 * A document's copy in IndexedDB. The browser may close the database at any time (an upgrade or a wipe in another tab,
 * storage pressure): the next call opens it again. Durability is relaxed, because the collector has the truth: what
 * a crash takes comes back with the next sync.
 */
export class DocumentDatabase implements DocumentStore {
  readonly #name: string;
  #opening: Promise<IDBPDatabase<DocumentSchema>> | null = null;
  #closed = false;

  constructor(name: string) {
    this.#name = name;
  }

  async load(): Promise<StoredDocument> {
    const database = await this.#open();
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
    this.#closed = true;
    const opening = this.#opening;
    this.#opening = null;
    opening?.then(
      (database) => database.close(),
      () => undefined,
    );
  }

  async #write(
    put: (
      transaction: IDBPTransaction<DocumentSchema, ('snapshot' | 'updates')[], 'readwrite'>,
    ) => Promise<void>,
  ): Promise<void> {
    const database = await this.#open();
    const transaction = database.transaction(['snapshot', 'updates'], 'readwrite', {
      durability: 'relaxed',
    });
    // The first to fail says why; `done` is what counts: it is committed.
    await Promise.all([put(transaction), transaction.done]);
  }

  #open(): Promise<IDBPDatabase<DocumentSchema>> {
    if (this.#closed) return Promise.reject(new Error('the copy of this document was closed'));
    this.#opening ??= this.#openOnce();
    return this.#opening;
  }

  #openOnce(): Promise<IDBPDatabase<DocumentSchema>> {
    const forget = (): void => {
      this.#opening = null;
    };
    const opening = openDB<DocumentSchema>(this.#name, 1, {
      upgrade: (database) => {
        database.createObjectStore('snapshot');
        database.createObjectStore('updates', { autoIncrement: true });
      },
      blocking: (_current, _blocked, event) => {
        forget();
        if (event.target instanceof IDBDatabase) event.target.close();
      },
      terminated: forget,
    });
    opening.catch(forget);
    return withTimeout(opening, OPEN_TIMEOUT_MS);
  }
}

/** Deletes databases of copies for which `keep` is false; where the browser cannot list them, nothing is deleted. */
export async function deleteDatabases(keep: (name: string) => boolean): Promise<void> {
  if (typeof indexedDB === 'undefined' || typeof indexedDB.databases !== 'function') return;
  const all = await indexedDB.databases();
  const names = all.flatMap(({ name }) => (name?.startsWith(PREFIX) && !keep(name) ? [name] : []));
  await Promise.all(names.map((name) => withTimeout(deleteDB(name), OPEN_TIMEOUT_MS)));
}

/** Opening can hang for ever in a damaged profile; a person must then read "not saved", not wait. */
function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The browser did not open its database.')), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
