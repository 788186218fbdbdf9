import { agoWords } from '#shared/lib/age-words.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { sizeWords } from '../size-words.ts';
import { checkOf, counted } from './check.ts';

/** The last outbox that was quarantined. */
export interface Quarantined {
  readonly label: string;
  readonly reason: string;
  readonly at: number;
  /** How often in a row. */
  readonly count: number;
}

/** The thread that alone reads what devices send. */
export interface OutboxThreadFacts {
  /** Calls that wait or run. */
  readonly pending: number;
  /** How often it was replaced since the start, because it hung or died. */
  readonly replaced: number;
}

/** Outboxes of all devices. */
export interface OutboxFacts {
  readonly totals: {
    readonly outboxes: number;
    readonly records: number;
    readonly bytes: number;
    readonly largestBytes: number;
  };
  readonly lastQuarantine: Quarantined | null;
  /** Null where no thread is asked: the server is down. */
  readonly thread: OutboxThreadFacts | null;
}

const DAY_MS = 86_400_000;
/** More than a burst of devices that come back at once. */
const MANY_PENDING = 1_000;
const OUTBOX = checkOf('outbox', 'Outboxes');

/** Sizes of the outboxes, the thread that reads them, and whether a device sent what none of ours would. */
export function outboxCheck({ totals, lastQuarantine: last, thread }: OutboxFacts, now: number): HealthCheck {
  const { outboxes, records, bytes, largestBytes } = totals;
  const sizes =
    outboxes === 0
      ? 'None yet.'
      : `${outboxes === 1 ? '1 outbox' : `${outboxes} outboxes`} with ${counted(records, 'record')}, ` +
        `${sizeWords(bytes)} in all, the largest ${sizeWords(largestBytes)}.`;
  const threads =
    thread === null
      ? ''
      : ` Their thread has ${thread.pending} to read and was ${replacedWords(thread.replaced)}.`;
  const detail = `${sizes}${threads}`;
  if (last !== null && now - last.at <= DAY_MS) {
    const times = last.count === 1 ? 'once' : `${last.count} times`;
    return OUTBOX.warn({
      detail: `The outbox of "${last.label}" was quarantined ${times}, last ${agoWords(now - last.at)} (${last.reason}). ${detail}`,
      remediation:
        'Nothing of it was done. Reload the app on that device; if it goes on, or the device is not yours, revoke it.',
    });
  }
  if (thread !== null && thread.pending > MANY_PENDING) {
    return OUTBOX.warn({ detail, remediation: 'Wait a minute; if it does not shrink, restart the server.' });
  }
  return OUTBOX.ok(detail);
}

function replacedWords(times: number): string {
  if (times === 0) return 'never replaced';
  return times === 1 ? 'replaced once' : `replaced ${times} times`;
}
