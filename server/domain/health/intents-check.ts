import type { HealthCheck } from '#shared/schemas/info.ts';
import { checkOf, counted } from './check.ts';

/** Intents by what became of them. */
export interface IntentFacts {
  readonly open: number;
  readonly running: number;
  /** Neither claimed nor expired, although their deadline is past. */
  readonly overdue: number;
  /** Ended in the last 24 h without anybody knowing how. */
  readonly unknown: number;
  /** Ended, and could not be written yet. */
  readonly unwritten: number;
}

const INTENTS = checkOf('intents', 'Intents');

/** What waits and runs, what waits past its deadline, what ended unknown, and ends that could not be written. */
export function intentsCheck({ open, running, overdue, unknown, unwritten }: IntentFacts): HealthCheck {
  const detail = `${open - running} waiting, ${running} running, ${overdue} waiting past their deadline.`;
  if (unwritten > 0) {
    return INTENTS.fail({
      detail: `${unwritten} ended and could not be written yet. ${detail}`,
      remediation:
        'The database takes no writes: see the check "Store". They are written as soon as it does.',
    });
  }
  if (overdue > 0) {
    return INTENTS.warn({
      detail,
      remediation: 'They expire within seconds while the server runs; restart it when they do not.',
    });
  }
  if (unknown === 0) return INTENTS.ok(detail);
  return INTENTS.warn({
    detail: `${counted(unknown, 'action')} of the last 24 h ended without anybody knowing how. ${detail}`,
    remediation: 'Open Outbox: each says what is known. Look at the host and ask again if need be.',
  });
}
