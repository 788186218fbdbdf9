import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import Database from 'better-sqlite3';

/** Who holds a data directory. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  readonly startedAt: number;
}

/** Another process has the data directory; `holder` is null when its name could not be read. */
export class DataDirLockedError extends Error {
  override readonly name = 'DataDirLockedError';
  readonly holder: LockHolder | null;

  constructor(holder: LockHolder | null) {
    super(
      holder
        ? `The data directory is in use by Drover process ${holder.pid} on ${holder.host}, ` +
            `started ${new Date(holder.startedAt).toISOString()}.`
        : 'The data directory is in use by another Drover process.',
    );
    this.holder = holder;
  }
}

/** A held lock; released at the latest when the process ends, however it ends. */
export interface DataDirLock {
  release(): void;
}

/**
 * Locks held by this process. POSIX drops all of a process's locks on a file when the process closes any handle on
 * it, so the file must never be read from here while we hold it. The handle is kept here too: were it collected as
 * garbage, the lock would go with it.
 */
const heldHere = new Map<string, { readonly holder: LockHolder; readonly database: Database.Database }>();

/** Takes `drover.lock`, an SQLite file locked exclusively for as long as we run; throws `DataDirLockedError`. */
export function lockDataDir(path: string, now: number): DataDirLock {
  const key = resolve(path);
  const ours = heldHere.get(key);
  if (ours) throw new DataDirLockedError(ours.holder);
  const holder: LockHolder = { pid: process.pid, host: hostname(), startedAt: now };
  const database = new Database(key, { timeout: 0 });
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    // A journal file must not be left for others to roll back, and old names must not stay readable in free pages.
    database.pragma('journal_mode = MEMORY');
    database.pragma('secure_delete = ON');
    database.exec('BEGIN EXCLUSIVE');
    database.exec('CREATE TABLE IF NOT EXISTS holder (id INTEGER PRIMARY KEY, value TEXT NOT NULL)');
    database
      .prepare('INSERT OR REPLACE INTO holder (id, value) VALUES (1, ?)')
      .run(`drover-holder:${JSON.stringify(holder)};`);
    database.exec('COMMIT');
  } catch (error) {
    database.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new DataDirLockedError(readHolder(key));
    }
    throw error;
  }
  heldHere.set(key, { holder, database });
  return {
    release() {
      heldHere.delete(key);
      database.close();
    },
  };
}

/** The holder's name straight from the file's bytes, because SQLite may not read what another process locked. */
function readHolder(path: string): LockHolder | null {
  const matches = [...readFileSync(path, 'utf8').matchAll(/drover-holder:(\{[^;]*\});/g)];
  const text = matches.at(-1)?.[1];
  if (text === undefined) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    if (!('pid' in value) || !('host' in value) || !('startedAt' in value)) return null;
    const { pid, host, startedAt } = value;
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof startedAt !== 'number') return null;
    return { pid, host, startedAt };
  } catch {
    return null;
  }
}
