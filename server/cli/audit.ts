import { verifyAudit, type RestorePoint } from '../adapters/sqlite/audit-chain.ts';
import { contentHash } from '#shared/schemas/ids.ts';
import { expectWords, UsageError, withStore, type Command } from './command.ts';

/** `drover audit verify`: whether the log of who did what is whole. */
export const auditCommand: Command = {
  help: '  audit verify [--head HASH]               checks that nobody changed or cut the audit log',
  needsData: true,
  run(input) {
    expectWords(input, 1, 'drover audit verify');
    if (input.words[0] !== 'verify') throw new UsageError('usage: drover audit verify');
    const { head } = input.flags;
    if (head !== undefined && !contentHash.safeParse(head).success) {
      throw new UsageError('--head is the head that an earlier "audit verify" printed');
    }
    return withStore(input.databasePath, (store) => {
      const verdict = verifyAudit(store.audit, typeof head === 'string' ? head : null);
      return verdict.ok
        ? {
            json: verdict,
            text: `${verdict.records} records, unbroken${restoreWords(verdict.restores)}. Head: ${verdict.head}\nNote the head elsewhere: "audit verify --head" tells later whether anything up to here was rewritten.`,
          }
        : {
            json: verdict,
            text: `${verdict.problem} ${verdict.records} records up to there follow one another.`,
            exitCode: 1,
          };
    });
  },
};

function restoreWords(restores: readonly RestorePoint[]): string {
  const named = restores.map(({ record, at }) => `${record} on ${new Date(at).toISOString()}`);
  return named.length === 0 ? '' : `; a backup was restored at record ${named.join(', ')}`;
}
