import { INTENT_RECORD_MAX_BYTES } from '#shared/schemas/intent-request.ts';
import type { CancelRecord, IntentRecord } from '#shared/schemas/intent-request.ts';
import type * as Y from 'yjs';

/** The two roots of an outbox; any other is foreign and refused. */
export const OUTBOX_ROOTS = ['intents', 'cancels'] as const;

/** What an outbox may hold, enforced by its device first and by the collector again. */
export const OUTBOX_LIMITS = {
  /** Of a record as JSON in UTF-8. */
  recordBytes: INTENT_RECORD_MAX_BYTES,
  /** Of the document as one update, and of a frame that carries it: a step 2 cannot be split. */
  documentBytes: 256 * 1024,
  /** Records of both roots together. */
  records: 512,
} as const;

/** Records as they stand in an outbox, unread: whoever acts on them parses them first. */
export interface OutboxContent {
  readonly intents: ReadonlyMap<string, unknown>;
  readonly cancels: ReadonlyMap<string, unknown>;
}

/** Puts an intent under its id, to stay until {@link removeRecords}; a record is never changed in place. */
export function putIntent(doc: Y.Doc, record: IntentRecord): void {
  doc.getMap<IntentRecord>('intents').set(record.id, record);
}

/** Asks to cancel the intent `id`, which may stand in this outbox, in an earlier one, or have come over HTTP. */
export function putCancel(doc: Y.Doc, id: string, record: CancelRecord): void {
  doc.getMap<CancelRecord>('cancels').set(id, record);
}

/** Takes intents and cancels under these ids out, in one transaction: the ledger shows how they ended. */
export function removeRecords(doc: Y.Doc, ids: Iterable<string>): void {
  const intents = doc.getMap('intents');
  const cancels = doc.getMap('cancels');
  doc.transact(() => {
    for (const id of ids) {
      if (intents.has(id)) intents.delete(id);
      if (cancels.has(id)) cancels.delete(id);
    }
  });
}

/** All records of an outbox. */
export function readOutbox(doc: Y.Doc): OutboxContent {
  return {
    intents: new Map(doc.getMap('intents').entries()),
    cancels: new Map(doc.getMap('cancels').entries()),
  };
}
