import type { HealthCheck } from '#shared/schemas/info.ts';
import type { OutboxStore } from '../domain/outbox-ports.ts';

/** The last outbox that was quarantined. */
export interface Quarantined {
  readonly label: string;
  readonly reason: string;
  readonly at: number;
  /** How often in a row. */
  readonly count: number;
}

const DAY_MS = 86_400_000;

/** Sizes of the outboxes, and whether a device sent what none of ours would. */
export function outboxHealth(
  store: Pick<OutboxStore, 'totals'>,
  last: Quarantined | null,
  now: number,
): readonly HealthCheck[] {
  const totals = totalsOf(store);
  if (!totals) return [];
  const { outboxes, records, bytes, largestBytes } = totals;
  const sizes =
    `${outboxes} outboxes with ${records} records, ${kilobytes(bytes)} KB in all, ` +
    `the largest ${kilobytes(largestBytes)} KB.`;
  if (last === null || now - last.at > DAY_MS) {
    return [{ name: 'outbox', state: 'ok', detail: sizes, remediation: null }];
  }
  const { label, reason, at, count } = last;
  const times = count === 1 ? 'once' : `${count} times`;
  return [
    {
      name: 'outbox',
      state: 'warn',
      detail: `The outbox of "${label}" was quarantined ${times}, last at ${new Date(at).toISOString()} (${reason}). ${sizes}`,
      remediation:
        'Nothing of it was done. Reload the app on that device; if it goes on, or the device is not yours, revoke it.',
    },
  ];
}

/** Null while the database cannot be read, which has a check of its own. */
function totalsOf(store: Pick<OutboxStore, 'totals'>): ReturnType<OutboxStore['totals']> | null {
  try {
    return store.totals();
  } catch {
    return null;
  }
}

function kilobytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}
