import { z } from 'zod';
import { boundedText } from '#shared/lib/bounded-text.ts';
import { hostId, modelId } from '#shared/schemas/ids.ts';
import { INTENT_KINDS } from '#shared/schemas/intent.ts';
import { INTENT_RECORD_MAX_BYTES, intentRecord } from '#shared/schemas/intent-request.ts';
import type { IntentView } from '#shared/schemas/intent.ts';
import type { IntentRecord } from '#shared/schemas/intent-request.ts';
import type { Identity } from '../domain/identity.ts';

/** A record that cannot be acted on, and why. */
export interface Unreadable {
  readonly ok: false;
  readonly code: 'malformed' | 'unknown_kind' | 'too_large';
  readonly reason: string;
}

/** Parses a record of an outbox, found under `id`. */
export function readRecord(id: string, record: unknown): { ok: true; record: IntentRecord } | Unreadable {
  const bytes = new TextEncoder().encode(JSON.stringify(record) ?? '').byteLength;
  if (bytes > INTENT_RECORD_MAX_BYTES) {
    return {
      ok: false,
      code: 'too_large',
      reason: `The record has ${bytes} bytes; ${INTENT_RECORD_MAX_BYTES} are allowed.`,
    };
  }
  const parsed = intentRecord.safeParse(record);
  if (parsed.success) {
    if (parsed.data.id === id) return { ok: true, record: parsed.data };
    return { ok: false, code: 'malformed', reason: 'The record stands under the id of another.' };
  }
  const named = kindOf.safeParse(record);
  const kind = named.success ? boundedText(named.data.kind, 64) : null;
  if (kind !== null && !INTENT_KINDS.some((known) => known === kind)) {
    return { ok: false, code: 'unknown_kind', reason: `This collector does not know the action "${kind}".` };
  }
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') ?? '';
  const what = issue ? `${where === '' ? 'the record' : where}: ${issue.message}` : 'its shape';
  return { ok: false, code: 'malformed', reason: `The record cannot be read: ${boundedText(what, 200)}.` };
}

/** The ledger's entry of a record that was refused for its shape: what could be read of it, and why it ends here. */
export function unreadableView(
  id: string,
  record: unknown,
  { code, reason }: Unreadable,
  author: Pick<Identity, 'kind' | 'id' | 'label'>,
  receivedAt: number,
): IntentView {
  const { kind, target } = outline(record);
  return {
    id,
    kind,
    target,
    params: {},
    state: 'rejected',
    code,
    reason,
    evidence: null,
    author: { kind: author.kind, id: author.id, label: author.label },
    createdAt: receivedAt,
    receivedAt,
    expiresAt: receivedAt,
    endedAt: receivedAt,
    precondition: null,
    confirm: null,
    whenDown: 'reject',
    supersedes: null,
    transitions: [
      { state: 'received', at: receivedAt, by: author.label },
      { state: 'rejected', at: receivedAt, by: 'collector' },
    ],
  };
}

const kindOf = z.looseObject({ kind: z.string() });
const targetOf = z.looseObject({ target: z.looseObject({ hostId, modelId }).partial() });

function outline(record: unknown): { readonly kind: string; readonly target: IntentView['target'] } {
  const kind = kindOf.safeParse(record);
  const target = targetOf.safeParse(record);
  const { hostId: host, modelId: model } = target.success ? target.data.target : {};
  return {
    kind: kind.success ? boundedText(kind.data.kind, 64) : 'unknown',
    target: { hostId: host ?? null, ...(model === undefined ? {} : { modelId: boundedText(model, 200) }) },
  };
}
