import Database from 'better-sqlite3';
import { StoreError } from '../../domain/store-error.ts';
import type { StoreFailure } from '../../domain/store-error.ts';

/** SQLite's primary result codes that we tell apart; extended codes begin with them. */
const FAILURES: readonly (readonly [prefix: string, failure: StoreFailure])[] = [
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_READONLY', 'readonly'],
  ['SQLITE_CANTOPEN', 'readonly'],
  ['SQLITE_PERM', 'readonly'],
  ['SQLITE_IOERR', 'io'],
  ['SQLITE_CORRUPT', 'corrupt'],
  ['SQLITE_NOTADB', 'corrupt'],
];

/** An error of SQLite as a `StoreError`; anything else as it is. */
export function asStoreError(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const failure = FAILURES.find(([prefix]) => error.code.startsWith(prefix))?.[1] ?? 'other';
  return new StoreError(failure, { cause: error });
}
