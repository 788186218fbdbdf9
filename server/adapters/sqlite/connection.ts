import Database from 'better-sqlite3';
import { asStoreError } from './sqlite-failure.ts';

/** Values a statement takes: better-sqlite3's own set, without BigInt. */
export type SqlValue = string | number | null | Uint8Array;

/** A prepared statement, typed by what it returns. */
export interface SqlStatement<Row> {
  run(...values: SqlValue[]): { readonly changes: number };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
}

/** How a connection is opened. */
export interface ConnectionOptions {
  readonly readonly?: boolean;
  /** How long SQLite waits for another writer before it gives up with `busy`. */
  readonly busyTimeoutMs?: number;
}

const WRITER_PRAGMAS = [
  // WAL lets readers work beside the writer; FULL makes a commit survive a power cut.
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  // Keeps the WAL file from staying as large as its worst moment.
  'journal_size_limit = 67108864',
  'cache_size = -32000',
];

/**
 * One connection to the database. Statements are prepared on first use and kept, so that stores hold no handle of
 * their own and the connection can be opened anew under them after a disk failure.
 */
export class Connection {
  readonly path: string;
  readonly #options: ConnectionOptions;
  #database: Database.Database;
  #statements = new Map<string, Database.Statement>();
  #rollbackListeners: (() => void)[] = [];

  constructor(path: string, options: ConnectionOptions = {}) {
    this.path = path;
    this.#options = options;
    this.#database = open(path, options);
  }

  /** The statement for `sql`; its rows are what the caller says they are, which the SQL beside it must bear out. */
  statement<Row = unknown>(sql: string): SqlStatement<Row> {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a codec's cast: SQLite's rows have no static type
    return statement as unknown as SqlStatement<Row>;
  }

  /** Runs statements that take no values. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Sets or reads a pragma; returns its single value. */
  pragma(text: string): unknown {
    return this.#database.pragma(text, { simple: true });
  }

  /** Runs `work` in one immediate transaction (or inside the one that is open); what SQLite throws becomes a `StoreError`. */
  transact<T>(work: () => T): T {
    if (this.#database.inTransaction) return work();
    try {
      this.statement('BEGIN IMMEDIATE').run();
      const result = work();
      this.statement('COMMIT').run();
      return result;
    } catch (error) {
      this.#rollback();
      throw asStoreError(error);
    }
  }

  /** Called after a transaction was undone: what was cached from inside it is wrong now. */
  onRollback(listener: () => void): void {
    this.#rollbackListeners.push(listener);
  }

  /** Closes and opens the file again, as after a disk failure. */
  reopen(): void {
    this.close();
    try {
      this.#database = open(this.path, this.#options);
    } catch (error) {
      throw asStoreError(error);
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
    for (const listener of this.#rollbackListeners) listener();
  }

  #rollback(): void {
    try {
      // Some failures (disk full) make SQLite roll back by itself.
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
    } catch {
      // The connection is beyond use; `reopen` follows.
    }
    for (const listener of this.#rollbackListeners) listener();
  }
}

function open(path: string, options: ConnectionOptions): Database.Database {
  const database = new Database(path, {
    readonly: options.readonly ?? false,
    fileMustExist: options.readonly ?? false,
    timeout: options.busyTimeoutMs ?? 1000,
  });
  try {
    if (!options.readonly) for (const pragma of WRITER_PRAGMAS) database.pragma(pragma);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}
