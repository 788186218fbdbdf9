import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseFileError } from '../adapters/sqlite/database-file.ts';
import { DataDirLockedError } from '../adapters/sqlite/lock.ts';
import { SchemaError } from '../adapters/sqlite/migrations.ts';
import { loadConfig, settingsHelp, type ConfigSources } from '../config.ts';
import { AppError } from '../errors.ts';
import { auditCommand } from './audit.ts';
import { backupCommand } from './backup.ts';
import { WrongStateError, UsageError, type Command } from './command.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { keyCommand } from './key.ts';
import { pairCommand } from './pair.ts';
import { restoreCommand } from './restore.ts';

const COMMANDS: Readonly<Record<string, Command>> = {
  pair: pairCommand,
  key: keyCommand,
  doctor: doctorCommand,
  audit: auditCommand,
  backup: backupCommand,
  restore: restoreCommand,
};

const HELP = `Usage: drover COMMAND [--json] [settings]

${Object.values(COMMANDS)
  .map((command) => command.help)
  .join('\n')}

Works whether the server runs or not, restore alone needs it down. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 wrong state.

Settings:
${settingsHelp()}
`;

/** What a run of the tool prints and ends with. */
export interface CliOutcome {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
}

/** Where the command line, variables and relative paths come from. */
export type CliSources = Pick<ConfigSources, 'argv' | 'env' | 'cwd'>;

/** Runs one command of the `drover` tool. */
export async function runCli(sources: CliSources): Promise<CliOutcome> {
  try {
    return await run(sources);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { exitCode: exitCodeOf(error), out: '', error: `drover: ${message}\n` };
  }
}

async function run(sources: CliSources): Promise<CliOutcome> {
  const parsed = loadConfig({
    ...sources,
    allowPositionals: true,
    extraFlags: { role: 'string', label: 'string', head: 'string', json: 'boolean', force: 'boolean' },
  });
  if (parsed.kind === 'help') return { exitCode: 0, out: HELP, error: '' };
  if (parsed.kind === 'invalid') throw new UsageError(parsed.problems.join('\n'));
  const [name = '', ...words] = parsed.positionals;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    throw new UsageError(name === '' ? 'say a command: see drover --help' : `unknown command "${name}"`);
  }
  const databasePath = join(parsed.config.dataDir, 'drover.db');
  if (command.needsData && !existsSync(databasePath)) {
    throw new WrongStateError(
      `there is no Drover data in ${parsed.config.dataDir}: start the server once, or name its --data-dir`,
    );
  }
  const { config, flags } = parsed;
  const result = await command.run({ config, databasePath, cwd: sources.cwd, words, flags });
  const text = parsed.flags['json'] === true ? JSON.stringify(result.json) : result.text;
  return { exitCode: result.exitCode ?? 0, out: `${text}\n`, error: '' };
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return 2;
  const wrongState = [WrongStateError, AppError, SchemaError, DatabaseFileError, DataDirLockedError];
  if (wrongState.some((kind) => error instanceof kind)) return 3;
  return 1;
}
