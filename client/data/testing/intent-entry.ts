import type { IntentEntry } from '../intents/types.ts';

/** A wish to unload `coder` on `marlin`, queued at 14:05 on 30 Nov 2026 by this device, `ana-phone`. */
export function intentEntry(change: Partial<IntentEntry> = {}): IntentEntry {
  return {
    id: '0199c3a4-7d10-7c55-9b1e-52f0a1c0de77',
    kind: 'model.unload',
    target: { hostId: 'marlin', modelId: 'coder' },
    params: {},
    state: 'queued',
    isMine: true,
    author: { kind: 'device', id: 'd1', label: 'ana-phone' },
    createdAt: new Date(2026, 10, 30, 14, 5).getTime(),
    expiresAt: new Date(2026, 10, 30, 14, 10).getTime(),
    endedAt: null,
    seenAt: null,
    precondition: null,
    confirm: null,
    whenDown: 'reject',
    supersedes: null,
    reason: null,
    code: null,
    evidence: null,
    steps: [],
    cancelAsked: false,
    saved: true,
    dismissed: false,
    ...change,
  };
}
