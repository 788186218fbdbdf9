import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SchemaError } from '../adapters/sqlite/migrations.ts';
import { loadConfig, settingsHelp } from '../config.ts';
import { AppError } from '../errors.ts';
import { WrongStateError, UsageError, type Command } from './command.ts';
import { doctorCommand } from './doctor.ts';
import { keyCommand } from './key.ts';
import { pairCommand } from './pair.ts';

const COMMANDS: Readonly<Record<string, Command>> = {
  pair: pairCommand,
  key: keyCommand,
  doctor: doctorCommand,
};

const HELP = `Usage: drover COMMAND [--json] [settings]

${Object.values(COMMANDS)
  .map((command) => command.help)
  .join('\n')}

Works whether the server runs or not. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 wrong state.

Settings:
${settingsHelp()}
`;

/** Runs one command of the `drover` tool and returns its exit code. */
async function runCli(argv: readonly string[]): Promise<number> {
  const parsed = loadConfig({
    argv,
    env: process.env,
    cwd: process.cwd(),
    allowPositionals: true,
    extraFlags: { role: 'string', label: 'string', json: 'boolean' },
  });
  if (parsed.kind === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
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
  const result = await command.run({
    config: parsed.config,
    databasePath,
    words,
    flags: parsed.flags,
  });
  process.stdout.write(
    parsed.flags['json'] === true ? `${JSON.stringify(result.json)}\n` : `${result.text}\n`,
  );
  return result.exitCode ?? 0;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return 2;
  if ([WrongStateError, AppError, SchemaError].some((kind) => error instanceof kind)) return 3;
  return 1;
}

try {
  process.exitCode = await runCli(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`drover: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = exitCodeOf(error);
}
