import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { DatabaseFileError, syncToDisk } from './database-file.ts';

/** Beside the database: what is being made ready to take its place. */
function stagingOf(databasePath: string): string {
  return `${databasePath}.restoring`;
}

/** Removes what is being made ready, also what an interrupted restore left. */
export function dropStaging(databasePath: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    rmSync(`${stagingOf(databasePath)}${suffix}`, { force: true });
  }
}

/**
 * Copies a backup beside the database, where it can be looked at and changed: the backup itself is only read. Returns
 * the copy's path.
 */
export function stageBackup(file: string, databasePath: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new DatabaseFileError(`There is no file ${file}.`);
  if (!found.isFile()) throw new DatabaseFileError(`${file} is no file.`);
  if (existsSync(databasePath) && realpathSync(file) === realpathSync(databasePath)) {
    throw new DatabaseFileError('That is the database in use; name a backup.');
  }
  const staging = stagingOf(databasePath);
  dropStaging(databasePath);
  copyFileSync(file, staging, constants.COPYFILE_FICLONE);
  // The last changes of a plain copy of a database are in the log beside it.
  if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${staging}-wal`);
  for (const suffix of ['', '-wal']) {
    if (existsSync(`${staging}${suffix}`)) chmodSync(`${staging}${suffix}`, 0o600);
  }
  return staging;
}

/**
 * Puts what was made ready in the database's place and returns where the replaced one is kept, null when there was none.
 * The database's name always leads to a whole database, old or new: the old one gets a second name first, then the new
 * one takes the first by one rename. `onStep` is told what is done, for whoever tries what a crash there does.
 */
export function swapIn(
  databasePath: string,
  { now, onStep = () => undefined }: { readonly now: number; readonly onStep?: (step: string) => void },
): string | null {
  const staging = stagingOf(databasePath);
  if (existsSync(`${staging}-wal`)) throw new Error('the restored database was not closed');
  syncToDisk(staging);
  const replace = (): void => {
    renameSync(staging, databasePath);
    onStep('renamed');
  };
  let kept: string | null = null;
  if (existsSync(databasePath)) {
    const keptPath = `${databasePath}.replaced-${new Date(now).toISOString().replaceAll(':', '-')}`;
    kept = keptPath;
    holding(databasePath, () => {
      keep(databasePath, keptPath);
      onStep('kept');
      replace();
    });
  } else replace();
  syncToDisk(dirname(databasePath));
  return kept;
}

/**
 * Runs `work` while no other command can use the database, with everything of it in the one file: a log left beside it
 * would be taken for the new database's. A database too damaged for that is kept as it is, its log included.
 */
function holding(databasePath: string, work: () => void): void {
  let database: Database.Database | null = null;
  try {
    database = new Database(databasePath, { fileMustExist: true, timeout: 2_000 });
    database.pragma('journal_mode = DELETE');
    database.exec('BEGIN EXCLUSIVE');
    if (String(database.pragma('journal_mode', { simple: true })) !== 'delete') throw inUse();
  } catch (error) {
    database?.close();
    if (error instanceof DatabaseFileError) throw error;
    if (!(error instanceof Database.SqliteError)) throw error;
    if (error.code.startsWith('SQLITE_BUSY')) throw inUse();
    work();
    return;
  }
  try {
    work();
  } finally {
    database.close();
  }
}

function keep(databasePath: string, kept: string): void {
  for (const suffix of ['', '-wal', '-journal']) {
    const path = `${databasePath}${suffix}`;
    if (existsSync(path)) nameTwice(path, `${kept}${suffix}`);
  }
  syncToDisk(dirname(databasePath));
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(`${databasePath}${suffix}`, { force: true });
}

function nameTwice(path: string, second: string): void {
  try {
    linkSync(path, second);
  } catch {
    // File systems without a second name (exFAT, some network drives): a copy does as well, and takes its time.
    copyFileSync(path, second, constants.COPYFILE_EXCL);
    syncToDisk(second);
  }
}

function inUse(): DatabaseFileError {
  return new DatabaseFileError('Another drover command uses the database just now; try again.');
}
