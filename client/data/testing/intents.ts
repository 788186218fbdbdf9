import type { IntentView } from '#shared/schemas/intent.ts';
import type { IntentDraft } from '../intents/types.ts';

/** A load of `coder` on `marlin`. */
export function loadDraft(over: Partial<Extract<IntentDraft, { kind: 'model.load' }>> = {}): IntentDraft {
  return {
    kind: 'model.load',
    target: { hostId: 'marlin', modelId: 'coder' },
    params: {},
    whenDown: 'reject',
    seenAt: null,
    ...over,
  };
}

/** An intent as the ledger shows it when it has just come. */
export function intentViewOf(id: string, at = Date.now()): IntentView {
  return {
    id,
    kind: 'model.load',
    target: { hostId: 'marlin', modelId: 'coder' },
    params: {},
    state: 'received',
    code: null,
    reason: null,
    evidence: null,
    author: { kind: 'device', id: 'd1', label: 'ana-phone' },
    createdAt: at,
    receivedAt: at,
    expiresAt: at + 300_000,
    endedAt: null,
    precondition: null,
    confirm: null,
    whenDown: 'reject',
    supersedes: null,
    transitions: [],
  };
}
