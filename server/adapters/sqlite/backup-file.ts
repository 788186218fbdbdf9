import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { Connection } from './connection.ts';
import { DatabaseFileError, inspectDatabase, syncToDisk, type DatabaseFacts } from './database-file.ts';
import { asStoreError } from './sqlite-failure.ts';

/** Where a backup says when it was made. */
export const BACKUP_MADE_AT_SETTING = 'backup.madeAt';

/** What is to be backed up, and where to. */
export interface BackupRequest {
  readonly databasePath: string;
  readonly file: string;
  /** Replaces a file that is there already. */
  readonly overwrite: boolean;
  readonly now: number;
}

/**
 * Writes the whole database as it is at one moment into one file, also while a server writes to it. The file is for its
 * owner alone, is checked before it gets its name, and a backup that fails leaves what was there before.
 */
export function writeBackup({ databasePath, file, overwrite, now }: BackupRequest): DatabaseFacts {
  refuseTarget(file, databasePath, overwrite);
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`;
  try {
    // SQLite fills an empty file; made here, nobody else can read it at any moment.
    closeSync(openSync(partial, 'wx', 0o600));
    copyInto(databasePath, partial);
    prepareCopy(partial, now);
    const facts = inspectDatabase(partial);
    syncToDisk(partial);
    refuseTarget(file, databasePath, overwrite);
    renameSync(partial, file);
    syncToDisk(dirname(file));
    return facts;
  } catch (error) {
    throw asStoreError(error);
  } finally {
    for (const suffix of ['', '-journal']) rmSync(`${partial}${suffix}`, { force: true });
  }
}

function refuseTarget(file: string, databasePath: string, overwrite: boolean): void {
  const folder = dirname(file);
  if (!existsSync(folder)) throw new DatabaseFileError(`There is no folder ${folder}.`);
  const target = join(realpathSync(folder), basename(file));
  const database = realpathSync(databasePath);
  if ([database, `${database}-wal`, `${database}-shm`].includes(target)) {
    throw new DatabaseFileError('That is the database itself; name another file.');
  }
  const known = statSync(file, { throwIfNoEntry: false });
  if (known === undefined) return;
  if (!known.isFile()) throw new DatabaseFileError(`${file} is no file; name one.`);
  if (!overwrite) throw new DatabaseFileError(`${file} exists already; name another file, or say --force.`);
}

/**
 * One read transaction over everything, so the copy is of one moment and the writer goes on meanwhile. Pages that hold
 * only what was deleted stay behind. (SQLite's page-wise copy would begin again at each write of another process.)
 */
function copyInto(databasePath: string, partial: string): void {
  const source = new Connection(databasePath, { readonly: true, busyTimeoutMs: 10_000 });
  try {
    source.statement('VACUUM INTO ?').run(partial);
  } finally {
    source.close();
  }
}

/** Takes out what must not come back to life, and notes the time. */
function prepareCopy(partial: string, now: number): void {
  const copy = new Database(partial, { fileMustExist: true });
  try {
    copy.pragma('journal_mode = DELETE');
    copy.pragma('secure_delete = ON');
    copy.transaction(() => {
      const tables = copy.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all();
      // A code may have been chosen by a person: its hash says what it is to whoever tries enough of them.
      for (const table of ['pairing_code', 'pairing_request']) {
        if (tables.includes(table)) copy.exec(`DELETE FROM ${table}`);
      }
      if (tables.includes('setting')) {
        copy
          .prepare('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)')
          .run(BACKUP_MADE_AT_SETTING, String(now));
      }
    })();
  } finally {
    copy.close();
  }
}
