import { agoWords } from '#shared/lib/age-words.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { checkOf, counted } from './check.ts';

/** What the last walk over the audit log found; `problem` null: every record follows the one before it. */
export interface AuditFacts {
  readonly records: number;
  readonly problem: string | null;
  readonly at: number;
}

const AUDIT = checkOf('audit', 'Audit log');

/** Whether the log of who did what is whole; null facts: nobody has looked yet. */
export function auditCheck(facts: AuditFacts | null, now: number): HealthCheck {
  if (facts === null) return AUDIT.ok('Its chain is being verified.');
  const when = agoWords(now - facts.at);
  if (facts.problem === null)
    return AUDIT.ok(`Chain verified to ${facts.records.toLocaleString('en-US')}, ${when}.`);
  return AUDIT.fail({
    detail: `${facts.problem} ${counted(facts.records, 'record')} up to there follow one another. Verified ${when}.`,
    remediation:
      'Somebody changed the database by hand, or it is damaged. Compare it with a backup: "drover audit verify".',
  });
}
