import type { HealthCheck } from '#shared/schemas/info.ts';
import type { IntentStore } from '../domain/intent-ports.ts';

const DAY_MS = 86_400_000;

/** How the intents are: what waits and runs, what ended unknown, and ends that could not be written. */
export function intentHealth(intents: IntentStore, unsettled: number, now: number): HealthCheck {
  if (unsettled > 0) {
    return {
      name: 'intents',
      state: 'fail',
      detail: `${unsettled} ended and could not be written yet.`,
      remediation:
        'The database takes no writes: see the check "store". They are written as soon as it does.',
    };
  }
  const { open, running, unknown } = intents.counts(now - DAY_MS);
  const detail = `${open - running} waiting, ${running} running.`;
  if (unknown === 0) return { name: 'intents', state: 'ok', detail, remediation: null };
  return {
    name: 'intents',
    state: 'warn',
    detail: `${detail} ${unknown} of the last 24 h ended without anybody knowing how.`,
    remediation: 'Open Outbox: each says what is known. Look at the host and ask again if need be.',
  };
}
