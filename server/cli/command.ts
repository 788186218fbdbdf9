import { role, type Role } from '#shared/schemas/auth.ts';
import { openStore, type SqliteStore } from '../adapters/sqlite/open-store.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { Config } from '../config.ts';
import type { Log } from '../domain/ports.ts';
import { AuthService } from '../services/auth-service.ts';
import { PairingService } from '../services/pairing-service.ts';

/** What a command is given. */
export interface CommandInput {
  readonly config: Config;
  readonly databasePath: string;
  /** What relative paths start from. */
  readonly cwd: string;
  /** Words after the command's name. */
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
}

/** What a command prints: one JSON value with --json, else text. */
export interface CommandResult {
  readonly json: unknown;
  readonly text: string;
  readonly exitCode?: number;
}

/** One command of the `drover` tool. */
export interface Command {
  readonly help: string;
  /** True for commands that make no sense before the server ever ran. */
  readonly needsData: boolean;
  run(input: CommandInput): CommandResult | Promise<CommandResult>;
}

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What is asked cannot be done as things are: exit code 3. */
export class WrongStateError extends Error {
  override readonly name = 'WrongStateError';
}

/** Opens the database beside the server, lets `work` use it and closes it again. */
export function withStore<T>(path: string, work: (store: SqliteStore) => T): T {
  const store = openStore(path, { now: systemClock.now() });
  try {
    return work(store);
  } finally {
    store.close();
  }
}

/** Keys on an open database, under the rules the server itself has. */
export function authOn(store: SqliteStore): AuthService {
  return new AuthService({ database: store, clock: systemClock, log: quiet });
}

/** Pairing on an open database, under the rules the server itself has. */
export function pairingOn(store: SqliteStore): PairingService {
  return new PairingService({ database: store, clock: systemClock, log: quiet });
}

/** The value of --role; refused when it is none of the roles. */
export function roleFlag(input: CommandInput, fallback: Role | null): Role {
  const given = input.flags['role'] ?? fallback;
  const parsed = role.safeParse(given);
  if (!parsed.success) throw new UsageError('--role is viewer, operator or admin');
  return parsed.data;
}

/** The one word of a command that takes a file. */
export function fileWord(input: CommandInput, usage: string): string {
  expectWords(input, 1, usage);
  const [file = ''] = input.words;
  if (file === '') throw new UsageError(`usage: ${usage}`);
  return file;
}

/** Refuses words the command does not know. */
export function expectWords(input: Pick<CommandInput, 'words'>, count: number, usage: string): void {
  if (input.words.length !== count) throw new UsageError(`usage: ${usage}`);
}

// stdout belongs to the command's answer.
const quiet: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
