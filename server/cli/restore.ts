import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BACKUP_MADE_AT_SETTING } from '../adapters/sqlite/backup-file.ts';
import { inspectDatabase } from '../adapters/sqlite/database-file.ts';
import { lockDataDir } from '../adapters/sqlite/lock.ts';
import { MIGRATIONS } from '../adapters/sqlite/migrations.ts';
import { openStore } from '../adapters/sqlite/open-store.ts';
import { readReplacedPast } from '../adapters/sqlite/replaced-past.ts';
import { dropStaging, stageBackup, swapIn } from '../adapters/sqlite/restore-file.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { restoreHistory, type RestoreReport } from '../services/restore-history.ts';
import { fileWord, type Command } from './command.ts';

/** What is to be restored, and where to. */
export interface RestoreRequest {
  readonly dataDir: string;
  readonly file: string;
  readonly now: number;
  /** Told what is done, for whoever tries what a crash there does. */
  readonly onStep?: (step: string) => void;
}

/** What a restore came to. */
export interface Restored extends RestoreReport {
  readonly schemaVersion: number;
  readonly backupMadeAt: number | null;
  /** Where the replaced database is; null when there was none. */
  readonly kept: string | null;
  /** False when there was a database that could not be read: what was revoked since is not known. */
  readonly pastKnown: boolean;
}

/** `drover restore`: puts a backup in the database's place. */
export const restoreCommand: Command = {
  help: '  restore FILE                             puts a backup in place of the database; the server must be down',
  needsData: false,
  run(input) {
    const file = resolve(input.cwd, fileWord(input, 'drover restore FILE'));
    const { dataDir } = input.config;
    const restored = restoreDatabase({ dataDir, file, now: systemClock.now() });
    return { json: { file, dataDir, ...restored }, text: report(file, restored) };
  },
};

/** Restores a data directory; throws when the backup is not sound, or when somebody uses the directory. */
export function restoreDatabase({ dataDir, file, now, onStep = () => undefined }: RestoreRequest): Restored {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const databasePath = join(dataDir, 'drover.db');
  const lock = lockDataDir(join(dataDir, 'drover.lock'), now);
  try {
    const staging = stageBackup(file, databasePath);
    onStep('staged');
    inspectDatabase(staging);
    const past = readReplacedPast(databasePath);
    const { schemaVersion, backupMadeAt, report } = prepare(staging, { now, past });
    onStep('prepared');
    const pastKnown = past !== null || !existsSync(databasePath);
    const kept = swapIn(databasePath, { now, onStep });
    return { ...report, schemaVersion, backupMadeAt, kept, pastKnown };
  } finally {
    dropStaging(databasePath);
    lock.release();
  }
}

/** Brings the staged copy to today's schema and to what it means that history went back. */
function prepare(
  staging: string,
  { now, past }: { readonly now: number; readonly past: ReturnType<typeof readReplacedPast> },
): Pick<Restored, 'schemaVersion' | 'backupMadeAt'> & { readonly report: RestoreReport } {
  const store = openStore(staging, { now });
  try {
    const stamp = store.settings.setting(BACKUP_MADE_AT_SETTING);
    const backupMadeAt = stamp === null ? null : Number(stamp);
    const report = restoreHistory(store, { now, backupMadeAt, past });
    store.settings.setSetting(BACKUP_MADE_AT_SETTING, null);
    return { schemaVersion: MIGRATIONS.length, backupMadeAt, report };
  } finally {
    store.close();
  }
}

function report(file: string, restored: Restored): string {
  const { backupMadeAt, kept, intentsRejected, intentsUnknown, accessTaken, pastKnown } = restored;
  const made = backupMadeAt === null ? '' : `, made ${new Date(backupMadeAt).toISOString()}`;
  const lines = [`Restored ${file}${made}.`];
  if (kept !== null) lines.push(`The database it replaces is kept: ${kept}`);
  if (intentsRejected > 0) lines.push(`${intentsRejected} open actions were ended without being done.`);
  if (intentsUnknown > 0)
    lines.push(`${intentsUnknown} actions ran at that time; what became of them is not known.`);
  if (accessTaken > 0) lines.push(`${accessTaken} devices or keys that were restricted since stay so.`);
  if (!pastKnown || kept === null) {
    lines.push('Devices and keys revoked after the backup was made work again: look at the list of devices.');
  }
  lines.push(
    'Devices drop their copies and fetch this history. Keys of hosts are in secrets.json, not in backups.',
  );
  return lines.join('\n');
}
