import { chmodSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import Database from 'better-sqlite3';
import { z } from 'zod';

/** Who holds a data directory. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  readonly startedAt: number;
  /**
   * Where it can be asked how it is, and by what key: for whoever may read the data directory. Null before it listens; the
   * key is null where the file could not be kept from others.
   */
  readonly ask: { readonly url: string; readonly key: string | null } | null;
}

const lockHolder = z.object({
  pid: z.int(),
  host: z.string(),
  startedAt: z.number(),
  // A version before this one wrote none.
  ask: z.nullable(z.object({ url: z.string(), key: z.nullable(z.string()) })).default(null),
});

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
  /**
   * Writes down where the holder can be asked how it is; the key only where nobody else can read it. Returns what went
   * wrong, null for nothing. Never throws.
   */
  announce(ask: { readonly url: string; readonly key: string }): string | null;
  release(): void;
}

/**
 * Locks held by this process. POSIX drops all of a process's locks on a file when the process closes any handle on
 * it, so the file must never be read from here while we hold it. The handle is kept here too: were it collected as
 * garbage, the lock would go with it.
 */
const heldHere = new Map<string, { holder: LockHolder; readonly database: Database.Database }>();

/** Takes `drover.lock`, an SQLite file locked exclusively for as long as we run; throws `DataDirLockedError`. */
export function lockDataDir(path: string, now: number): DataDirLock {
  const key = resolve(path);
  const ours = heldHere.get(key);
  if (ours) throw new DataDirLockedError(ours.holder);
  const holder: LockHolder = { pid: process.pid, host: hostname(), startedAt: now, ask: null };
  const database = new Database(key, { timeout: 0 });
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    // A journal file must not be left for others to roll back, and old names must not stay readable in free pages.
    database.pragma('journal_mode = MEMORY');
    database.pragma('secure_delete = ON');
    database.exec('BEGIN EXCLUSIVE');
    database.exec('CREATE TABLE IF NOT EXISTS holder (id INTEGER PRIMARY KEY, value TEXT NOT NULL)');
    writeHolder(database, holder);
    database.exec('COMMIT');
  } catch (error) {
    database.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new DataDirLockedError(readHolder(key));
    }
    throw error;
  }
  const held = { holder, database };
  heldHere.set(key, held);
  return {
    announce(ask) {
      try {
        const problem = closeToOthers(key);
        const announced = { ...holder, ask: problem === null ? ask : { ...ask, key: null } };
        writeHolder(database, announced);
        held.holder = announced;
        return problem;
      } catch (error) {
        return textOf(error);
      }
    },
    release() {
      heldHere.delete(key);
      database.close();
    },
  };
}

/**
 * Who wrote its name into `drover.lock` last, running or not; null when nobody did. It takes no lock. Throws what the
 * file system says when the file cannot be read.
 */
export function lastHolder(path: string): LockHolder | null {
  const ours = heldHere.get(resolve(path));
  if (ours) return ours.holder;
  try {
    return readHolder(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * True while a process has the data directory. It looks with a read of its own, for an instant: only for whoever has
 * reason to believe that somebody holds it.
 */
export function isLocked(path: string): boolean {
  if (heldHere.has(resolve(path))) return true;
  let database: Database.Database | null = null;
  try {
    database = new Database(path, { readonly: true, timeout: 0 });
    database.prepare('SELECT count(*) FROM holder').get();
    return false;
  } catch (error) {
    return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
  } finally {
    database?.close();
  }
}

/** The key is for the owner alone, also where the file was copied in with wider permissions. Null: it is. */
function closeToOthers(path: string): string | null {
  try {
    chmodSync(path, 0o600);
    return null;
  } catch (error) {
    return textOf(error);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function writeHolder(database: Database.Database, holder: LockHolder): void {
  database
    .prepare('INSERT OR REPLACE INTO holder (id, value) VALUES (1, ?)')
    .run(`drover-holder:${JSON.stringify(holder)};`);
}

/** The holder's name straight from the file's bytes, because SQLite may not read what another process locked. */
function readHolder(path: string): LockHolder | null {
  const matches = [...readFileSync(path, 'utf8').matchAll(/drover-holder:(\{[^;]*\});/g)];
  const text = matches.at(-1)?.[1];
  if (text === undefined) return null;
  try {
    return lockHolder.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
