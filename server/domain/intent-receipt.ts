import type { IntentView } from '#shared/schemas/intent.ts';
import type { IntentRequest } from '#shared/schemas/intent-request.ts';
import type { Identity } from './identity.ts';
import type { IntentRules } from './intent-kind.ts';

/** Clocks of well-kept machines agree within this; a record from further in the future has an impossible time. */
const CLOCK_TOLERANCE_MS = 60_000;

/** When and how a record came. */
export interface Receipt {
  /** Collector time. */
  readonly receivedAt: number;
  /** Made on the device's clock; null for a request that is made as it arrives. */
  readonly createdAt: number | null;
  /** Collector clock minus device clock; null: not known, taken for none. */
  readonly clockOffsetMs: number | null;
}

/** The life a record has left, on collector time. `impossible`: it says it was made in the future. */
export type Validity =
  | { readonly kind: 'valid' | 'expired'; readonly createdAt: number; readonly expiresAt: number }
  | { readonly kind: 'impossible'; readonly createdAt: number; readonly expiresAt: number };

/** Puts the device's time on the collector's clock and counts the life from there. */
export function validityOf(receipt: Receipt, ttlMs: number): Validity {
  const { receivedAt, clockOffsetMs } = receipt;
  const made = receipt.createdAt === null ? receivedAt : receipt.createdAt + (clockOffsetMs ?? 0);
  if (made > receivedAt + CLOCK_TOLERANCE_MS) {
    return { kind: 'impossible', createdAt: receivedAt, expiresAt: receivedAt };
  }
  const createdAt = Math.min(made, receivedAt);
  const expiresAt = createdAt + ttlMs;
  return { kind: receivedAt >= expiresAt ? 'expired' : 'valid', createdAt, expiresAt };
}

/** What the ledger shows of an intent that was just received. */
export function receivedView(
  request: IntentRequest,
  author: Pick<Identity, 'kind' | 'id' | 'label'>,
  times: { readonly createdAt: number; readonly receivedAt: number; readonly expiresAt: number },
): IntentView {
  const { id, kind, params, whenDown, precondition, confirm, supersedes } = request;
  return {
    id,
    kind,
    target: { ...request.target },
    params: { ...params },
    state: 'received',
    code: null,
    reason: null,
    evidence: null,
    author: { kind: author.kind, id: author.id, label: author.label },
    createdAt: times.createdAt,
    receivedAt: times.receivedAt,
    expiresAt: times.expiresAt,
    endedAt: null,
    precondition: precondition ?? null,
    confirm: confirm ?? null,
    whenDown,
    supersedes: supersedes ?? null,
    transitions: [{ state: 'received', at: times.receivedAt, by: author.label }],
  };
}

/** Two intents mean the same when one of them done is both done. */
export function meaningOf(request: IntentRequest): string {
  const { kind, target, params } = request;
  return JSON.stringify([kind, target.hostId, 'modelId' in target ? target.modelId : null, params]);
}

/** Life of an intent of this kind that does not say. */
export function ttlOf(request: IntentRequest, rules: Pick<IntentRules, 'ttlMs'>): number {
  return request.ttlMs ?? rules.ttlMs;
}
