import { resolve } from 'node:path';
import { writeBackup } from '../adapters/sqlite/backup-file.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { sizeWords } from '../domain/size-words.ts';
import { fileWord, type Command } from './command.ts';

/** `drover backup`: everything of one moment in one file, also while the server runs. */
export const backupCommand: Command = {
  help: '  backup FILE [--force]                    copies the database of this moment; --force replaces FILE',
  needsData: true,
  run(input) {
    const file = resolve(input.cwd, fileWord(input, 'drover backup FILE [--force]'));
    const madeAt = systemClock.now();
    const { databasePath, flags } = input;
    const facts = writeBackup({ databasePath, file, overwrite: flags['force'] === true, now: madeAt });
    return {
      json: { file, ...facts, madeAt },
      text:
        `${file}: ${sizeWords(facts.sizeBytes)}, schema version ${facts.schemaVersion}, checked.\n` +
        'It holds hosts, history, devices and the audit log, and no key of a host: secrets.json is not in it.',
    };
  },
};
