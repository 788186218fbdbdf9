import { label as labelSchema } from '#shared/schemas/auth.ts';
import { CLI_ACTOR } from '../domain/audit-log.ts';
import { AppError } from '../errors.ts';
import {
  authOn,
  expectWords,
  roleFlag,
  UsageError,
  withStore,
  WrongStateError,
  type Command,
  type CommandInput,
  type CommandResult,
} from './command.ts';

/** `drover key create|list|revoke`. */
export const keyCommand: Command = {
  help: [
    '  key create --role viewer --label ci      a new API key, shown this once',
    '  key list                                 keys that work',
    '  key revoke ID                            ends a key at once',
  ].join('\n'),
  needsData: true,
  run(input) {
    switch (input.words[0]) {
      case 'create':
        return create(input);
      case 'list':
        return list(input);
      case 'revoke':
        return revoke(input);
      default:
        throw new UsageError('usage: drover key create|list|revoke');
    }
  },
};

function create(input: CommandInput): CommandResult {
  expectWords(input, 1, 'drover key create --role viewer --label ci');
  const role = roleFlag(input, null);
  const label = labelSchema.safeParse(input.flags['label']);
  if (!label.success) throw new UsageError('--label names the key: 1 to 64 characters');
  return withStore(input.databasePath, (store) => {
    const { id, key } = authOn(store).createKey({ role, label: label.data }, CLI_ACTOR);
    return {
      json: { id, key, role, label: label.data },
      text: `${key}\n\nKeep it now: it is not shown again. Role ${role}, id ${id}.`,
    };
  });
}

function list(input: CommandInput): CommandResult {
  expectWords(input, 1, 'drover key list');
  return withStore(input.databasePath, (store) => {
    const keys = authOn(store).listKeys();
    const lines = keys.map((key) => {
      const used = key.lastUsedAt === null ? 'never used' : `last used ${isoTime(key.lastUsedAt)}`;
      return `${key.id}  ${key.prefix}…  ${key.role.padEnd(8)}  ${key.label}  (${used})`;
    });
    return { json: { keys }, text: lines.length === 0 ? 'There are no API keys.' : lines.join('\n') };
  });
}

function revoke(input: CommandInput): CommandResult {
  expectWords(input, 2, 'drover key revoke ID');
  const id = input.words[1] ?? '';
  return withStore(input.databasePath, (store) => {
    try {
      authOn(store).revokeKey(id, CLI_ACTOR);
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') throw new WrongStateError(error.message);
      throw error;
    }
    return { json: { id, revoked: true }, text: `${id} is revoked; its connections close within a second.` };
  });
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
