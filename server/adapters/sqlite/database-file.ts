import { closeSync, fsyncSync, openSync, readSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { MIGRATIONS, SchemaError } from './migrations.ts';

/** A file that cannot be backed up, restored or put in place as things are; the message says why and what to do. */
export class DatabaseFileError extends Error {
  override readonly name = 'DatabaseFileError';
}

/** The first bytes of every SQLite file. */
const MAGIC = 'SQLite format 3\0';

/** What a look at a sound database found. */
export interface DatabaseFacts {
  readonly schemaVersion: number;
  readonly sizeBytes: number;
}

/**
 * Looks whether a file is a whole database of Drover that this version can read: its first bytes, every page and index,
 * the steps of its schema. Throws `DatabaseFileError` or `SchemaError`.
 */
export function inspectDatabase(path: string): DatabaseFacts {
  if (!startsLikeSqlite(path)) throw new DatabaseFileError(`${path} is no SQLite database.`);
  const database = open(path);
  try {
    const verdict = String(database.pragma('integrity_check(1)', { simple: true }));
    if (verdict !== 'ok') throw new DatabaseFileError(`${path} is damaged: ${verdict}`);
    return { schemaVersion: schemaVersion(database, path), sizeBytes: statSync(path).size };
  } catch (error) {
    if (error instanceof Database.SqliteError) {
      throw new DatabaseFileError(`${path} is damaged: ${error.message}`, { cause: error });
    }
    throw error;
  } finally {
    database.close();
  }
}

/** Makes sure that what was written to a file, or to a directory's list of files, survives a power cut. */
export function syncToDisk(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function startsLikeSqlite(path: string): boolean {
  const handle = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MAGIC.length);
    return readSync(handle, bytes, 0, MAGIC.length, 0) === MAGIC.length && bytes.toString('latin1') === MAGIC;
  } finally {
    closeSync(handle);
  }
}

function open(path: string): Database.Database {
  try {
    return new Database(path, { fileMustExist: true });
  } catch (error) {
    throw new DatabaseFileError(`${path} cannot be opened: ${String(error)}`, { cause: error });
  }
}

function schemaVersion(database: Database.Database, path: string): number {
  const known = database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migration'`);
  if (known.get() === undefined) throw new DatabaseFileError(`${path} is no database of Drover.`);
  const version = Number(database.prepare('SELECT max(version) FROM migration').pluck().get());
  if (version > MIGRATIONS.length) {
    throw new SchemaError(
      `${path} has schema version ${version}, this Drover knows ${MIGRATIONS.length}: it was written by a newer ` +
        'Drover. Update this one first.',
    );
  }
  return version;
}
