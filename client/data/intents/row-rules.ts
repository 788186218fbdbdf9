import { INTENT_TTL_MS } from '#shared/schemas/intent-life.ts';
import { isTerminal } from '#shared/schemas/intent.ts';
import type { IntentState, IntentView } from '#shared/schemas/intent.ts';
import type { IntentRecord } from '#shared/schemas/intent-request.ts';
import { OUTBOX_LIMITS } from '#sync/outbox-doc.ts';
import type { QueueRow } from './queue-row.ts';

/** What waited longer than this before it could leave goes only after a person looked at it. */
export const REVIEW_AFTER_MS = 5 * 60_000;
const KEPT_MS = 7 * 86_400_000;
const KEPT_ROWS = 200;
/** Records of a document cost a little more than their JSON; and a cancel may have to join them. */
const QUEUE_BYTES = OUTBOX_LIMITS.documentBytes * 0.7;
const QUEUE_RECORDS = OUTBOX_LIMITS.records / 2;

/** Device time at which a record is void. */
export function expiryOf({
  createdAt,
  kind,
  ttlMs,
}: Pick<IntentRecord, 'createdAt' | 'kind' | 'ttlMs'>): number {
  return createdAt + (ttlMs ?? INTENT_TTL_MS[kind]);
}

/** True while the collector has not said how it ended and this device has not given it up. */
export function isOpen(row: QueueRow): boolean {
  if (row.view !== null) return !isTerminal(row.view.state);
  return row.state === 'queued' || row.state === 'sent';
}

const UNCLAIMED: ReadonlySet<IntentState> = new Set(['received', 'waiting']);

/** True while it can still be taken back: nothing has begun. */
export function isUnclaimed(row: QueueRow): boolean {
  return isOpen(row) && (row.view === null || UNCLAIMED.has(row.view.state));
}

/** True while it has never left this device and could. */
export function isWaiting(row: QueueRow, now: number): boolean {
  const { record, state, offered, view } = row;
  return record !== null && state === 'queued' && !offered && view === null && now < expiryOf(record);
}

/** True for what waits for a person to say "send" or "drop". */
export function isForReview(row: QueueRow, now: number): boolean {
  if (!isWaiting(row, now) || row.approved) return false;
  return row.held || now - row.madeAt >= REVIEW_AFTER_MS;
}

/** True for what leaves as soon as the collector can be reached. */
export function isReady(row: QueueRow, now: number): boolean {
  return isWaiting(row, now) && row.after === null && !isForReview(row, now);
}

/** How the one that is to be replaced ended, as far as its replacement is concerned. */
type Gate = 'wait' | 'go' | 'drop';

/** Whether `row` may take the place of `before`; whatever has begun, or may have, leaves no place to take. */
export function gateOf(before: QueueRow | undefined): Gate {
  if (before === undefined) return 'drop';
  const { record, view, state } = before;
  if (view === null) return record === null || state === 'queued' || state === 'sent' ? 'wait' : 'go';
  if (view.state === 'cancelled' || view.state === 'expired' || view.state === 'rejected') return 'go';
  return UNCLAIMED.has(view.state) ? 'wait' : 'drop';
}

/** What the world says of a row. */
export interface RowFacts {
  readonly now: number;
  readonly view: IntentView | undefined;
  /** The row that `after` names. */
  readonly before: QueueRow | undefined;
  readonly label: string;
}

/** The row as it has to be now; the same object when nothing changed. */
export function advance(row: QueueRow, { now, view, before, label }: RowFacts): QueueRow {
  if (view !== undefined && isNews(view, row.view)) return { ...row, view };
  if (row.state !== 'queued' || row.offered || row.view !== null || row.record === null) return row;
  if (now >= expiryOf(row.record)) return endHere(row, 'expired-here', { at: now, by: label, reason: null });
  if (row.after === null) return row;
  const gate = gateOf(before);
  if (gate === 'go') return { ...row, after: null };
  if (gate === 'wait') return row;
  const reason = 'The one it was to replace had begun already, and went on.';
  return endHere(row, 'dropped', { at: now, by: label, reason });
}

/** Ends it on this device: it never left, and never will. */
export function endHere(
  row: QueueRow,
  state: 'expired-here' | 'dropped',
  { at, by, reason }: { readonly at: number; readonly by: string; readonly reason: string | null },
): QueueRow {
  return { ...row, state, reason, steps: [...row.steps, { state, at, by }] };
}

/** A view of an earlier history never replaces an end: what ended has ended, but may take a note. */
function isNews(view: IntentView, known: IntentView | null): boolean {
  if (known === null) return true;
  if (isTerminal(known.state)) return view.state === known.state && view.note?.at !== known.note?.at;
  return view.state !== known.state || view.transitions.length !== known.transitions.length;
}

/** Whether this row's record stands in the outbox of `deviceId`. */
export function standsInOutbox(row: QueueRow, deviceId: string): boolean {
  return row.record !== null && row.offered && row.deviceId === deviceId && isUnclaimed(row);
}

/** Whether this row's wish to cancel stands in the outbox of `deviceId`. */
export function cancelStands(row: QueueRow, deviceId: string): boolean {
  return (
    row.cancel !== null && row.deviceId === deviceId && (row.view === null || !isTerminal(row.view.state))
  );
}

/** Why a record of so many bytes finds no room beside `rows`; null when it does. */
export function roomFor(bytes: number, rows: Iterable<QueueRow>): string | null {
  let records = 1;
  let sum = bytes;
  for (const row of rows) {
    if (row.record === null || !isOpen(row)) continue;
    records += 1;
    sum += recordBytes(row.record);
  }
  if (records <= QUEUE_RECORDS && sum <= QUEUE_BYTES) return null;
  return `${records - 1} actions wait on this device already. Nothing was queued.`;
}

/** Bytes of a record as it is counted by everybody. */
export function recordBytes(record: unknown): number {
  return new TextEncoder().encode(JSON.stringify(record)).byteLength;
}

/** Ids of rows that are of no use any more: ended more than a week ago, or more of them than anybody reads. */
export function prunable(rows: Iterable<QueueRow>, now: number): readonly string[] {
  const ended = [...rows].filter((row) => !isOpen(row)).sort((a, b) => b.madeAt - a.madeAt);
  return ended.filter((row, index) => index >= KEPT_ROWS || now - row.madeAt > KEPT_MS).map(({ id }) => id);
}
