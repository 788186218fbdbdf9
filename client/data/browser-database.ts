import { openDB } from 'idb';
import type { DBSchema, IDBPDatabase } from 'idb';

const OPEN_TIMEOUT_MS = 5_000;

/**
 * An IndexedDB database that is opened when it is needed. The browser may close it at any time (an upgrade or a wipe in
 * another tab, storage pressure): the next call opens it again. Opening can hang for ever in a damaged profile; a person
 * must then read "not saved", not wait.
 */
export class BrowserDatabase<Schema extends DBSchema> {
  readonly #name: string;
  readonly #create: (database: IDBPDatabase<Schema>) => void;
  readonly #onLost: () => void;
  #opening: Promise<IDBPDatabase<Schema>> | null = null;
  #closed = false;

  /** `create` makes the object stores of a database that is new; `onLost`: the browser closed it, and may have cleared it. */
  constructor(
    name: string,
    create: (database: IDBPDatabase<Schema>) => void,
    onLost: () => void = () => undefined,
  ) {
    this.#name = name;
    this.#create = create;
    this.#onLost = onLost;
  }

  open(): Promise<IDBPDatabase<Schema>> {
    if (this.#closed) return Promise.reject(new Error('This copy was closed.'));
    this.#opening ??= this.#openOnce();
    return this.#opening;
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

  #openOnce(): Promise<IDBPDatabase<Schema>> {
    if (typeof indexedDB === 'undefined') return Promise.reject(new Error('This browser keeps no data.'));
    const forget = (): void => {
      if (this.#opening === opening) this.#opening = null;
    };
    const opening = withTimeout(
      openDB<Schema>(this.#name, 1, {
        upgrade: (database) => this.#create(database),
        blocking: (_current, _blocked, event) => {
          forget();
          if (event.target instanceof IDBDatabase) event.target.close();
        },
        terminated: () => {
          forget();
          if (!this.#closed) this.#onLost();
        },
      }),
      OPEN_TIMEOUT_MS,
    );
    opening.catch(forget);
    return opening;
  }
}

/** Rejects when `promise` takes longer. */
export function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The browser did not open its database.')), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
