import type { IntentView } from '#shared/schemas/intent.ts';
import { needsYou } from './needs-you.ts';
import type { QueueRow } from './queue-row.ts';
import { expiryOf } from './row-rules.ts';
import type { IntentEntry } from './types.ts';

/** Who looks, and by which clock. */
export interface Viewer {
  readonly deviceId: string | null;
  readonly label: string;
  /** Collector clock minus this device's. */
  readonly offsetMs: number;
}

/** What is known of one intent. */
export interface EntrySource {
  readonly row: QueueRow | undefined;
  readonly view: IntentView | undefined;
  /** False for what a reload would take. */
  readonly saved: boolean;
  /** The browser would not write it. */
  readonly isRefused: boolean;
}

/** The entry of one intent; null for a row that says nothing by itself. */
export function entryOf({ row, view, saved, isRefused }: EntrySource, viewer: Viewer): IntentEntry | null {
  // What the row holds stands in where the ledger no longer lists it, or has not caught up.
  const known = view ?? row?.view ?? null;
  const own = {
    cancelAsked: row !== undefined && row.cancel !== null,
    saved: row === undefined || saved,
    dismissed: row?.dismissed ?? false,
    seenAt: row?.record?.seenAt ?? null,
    steps: (row?.steps ?? []).map((step) => ({ ...step, at: step.at + viewer.offsetMs })),
  };
  if (known !== null)
    return { ...ledgerFields(known, row, viewer), ...own, steps: [...own.steps, ...known.transitions] };
  return row === undefined ? null : queueEntry(row, { ...own, isRefused }, viewer);
}

type OwnFields = Pick<IntentEntry, 'cancelAsked' | 'saved' | 'dismissed' | 'seenAt' | 'steps'>;

function ledgerFields(
  view: IntentView,
  row: QueueRow | undefined,
  { deviceId }: Viewer,
): Omit<IntentEntry, keyof OwnFields> {
  const { transitions: _transitions, receivedAt: _receivedAt, ...shown } = view;
  const isOwnRow = row !== undefined && row.record !== null;
  const isOwnDevice = view.author.kind === 'device' && view.author.id === deviceId;
  return { ...shown, isMine: isOwnRow || isOwnDevice };
}

function queueEntry(
  row: QueueRow,
  { isRefused, ...own }: OwnFields & Pick<EntrySource, 'isRefused'>,
  { label, offsetMs }: Viewer,
): IntentEntry | null {
  const { record, state, reason } = row;
  if (record === null) return null;
  const { id, kind, target, params, precondition, confirm, whenDown, supersedes } = record;
  const ended = state === 'expired-here' || state === 'dropped' ? own.steps.at(-1) : undefined;
  return {
    ...own,
    id,
    kind,
    target,
    whenDown,
    reason,
    params: { ...params },
    state: state === 'queued' && isRefused ? 'not-saved' : state,
    isMine: true,
    author: { kind: 'device', id: row.deviceId, label },
    createdAt: record.createdAt + offsetMs,
    expiresAt: expiryOf(record) + offsetMs,
    endedAt: ended?.at ?? null,
    precondition: precondition ?? null,
    confirm: confirm ?? null,
    supersedes: supersedes ?? null,
    code: null,
    evidence: null,
  };
}

/** Newest first; of the same moment, the later id. */
export function byAge(a: IntentEntry, b: IntentEntry): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
}

/** How many wait on this device, and how many wait for its user. */
export function countEntries(entries: readonly IntentEntry[]): {
  readonly unsent: number;
  readonly needsYou: number;
} {
  const unsent = entries.filter(({ state }) => state === 'queued' || state === 'not-saved').length;
  // What is not saved waits already: the two are added up for whoever looks.
  const asking = entries.filter((entry) => needsYou(entry) && entry.state !== 'not-saved');
  return { unsent, needsYou: asking.length };
}
