import { verifyAudit } from '../adapters/sqlite/audit-chain.ts';
import { expectWords, UsageError, withStore, type Command } from './command.ts';

/** `drover audit verify`: whether the log of who did what is whole. */
export const auditCommand: Command = {
  help: '  audit verify                             checks that nobody changed or cut the audit log',
  needsData: true,
  run(input) {
    expectWords(input, 1, 'drover audit verify');
    if (input.words[0] !== 'verify') throw new UsageError('usage: drover audit verify');
    return withStore(input.databasePath, (store) => {
      const verdict = verifyAudit(store.audit);
      return verdict.ok
        ? {
            json: verdict,
            text: `${verdict.records} records, unbroken. Head: ${verdict.head}\nWho keeps this head elsewhere can tell later that nothing up to here was rewritten.`,
          }
        : {
            json: verdict,
            text: `${verdict.problem} The ${verdict.records} before it are as they were written.`,
            exitCode: 1,
          };
    });
  },
};
