import { v7 } from 'uuid';
import { INTENT_RECORD_MAX_BYTES, intentRecord } from '#shared/schemas/intent-request.ts';
import type { IntentRecord } from '#shared/schemas/intent-request.ts';
import { parseOutboxName } from '#sync/doc-name.ts';
import type { ApiError, Result } from '../types.ts';
import type { QueueRow } from './queue-row.ts';
import { recordBytes, roomFor } from './row-rules.ts';

/** A failure as the data layer's calls give it, of something that never left this device. */
export function refused(code: string, message: string, details: ApiError['details'] = []): ApiError {
  return { ok: false, status: null, code, message, retryAfterMs: null, details };
}

/** A success of something that happened on this device. */
export function done<T>(value: T): Result<T> {
  return { ok: true, status: 200, value };
}

/** Where and when a record is made. */
export interface RecordPlace {
  readonly outboxName: string;
  readonly now: number;
  readonly rows: Iterable<QueueRow>;
}

/** Makes a record of what was asked, or says why it cannot be one: its shape, its size, no room beside the others. */
export function makeRecord(fields: object, { outboxName, now, rows }: RecordPlace): Result<IntentRecord> {
  const parsed = intentRecord.safeParse({
    ...fields,
    id: v7(),
    v: 1,
    createdAt: now,
    epoch: parseOutboxName(outboxName)?.epoch ?? 1,
  });
  if (!parsed.success) {
    const details = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
    const [first] = details;
    return refused('bad_request', `This cannot be asked: ${first?.message ?? 'its shape'}.`, details);
  }
  const bytes = recordBytes(parsed.data);
  if (bytes > INTENT_RECORD_MAX_BYTES) {
    const message = `The record has ${bytes} bytes; ${INTENT_RECORD_MAX_BYTES} are allowed.`;
    return refused('too_large', message);
  }
  const noRoom = roomFor(bytes, rows);
  return noRoom === null ? done(parsed.data) : refused('queue_full', noRoom);
}

/** The row of a record that was just made on `deviceId`. */
export function rowOf(record: IntentRecord, deviceId: string, label: string): QueueRow {
  return {
    ...blankRow(record.id, deviceId, record.createdAt),
    record,
    state: 'queued',
    steps: [{ state: 'queued', at: record.createdAt, by: label }],
  };
}

/** A row about an intent that this queue holds no record of. */
export function blankRow(id: string, deviceId: string, now: number): QueueRow {
  return {
    id,
    deviceId,
    madeAt: now,
    record: null,
    state: 'dropped',
    offered: false,
    held: false,
    approved: false,
    after: null,
    cancel: null,
    dismissed: false,
    reason: null,
    steps: [],
    view: null,
  };
}
