import type { IntentState } from '#shared/schemas/intent.ts';

/** What can happen to an intent. */
export const INTENT_EVENTS = [
  'wait',
  'claim',
  'reject',
  'expire',
  'cancel',
  'supersede',
  'askConfirmation',
  'start',
  'release',
  'succeed',
  'fail',
  'loseTrack',
] as const;
/** One of {@link INTENT_EVENTS}. */
export type IntentEvent = (typeof INTENT_EVENTS)[number];

type Row = Readonly<Record<IntentEvent, IntentState | null>>;

const NOTHING: Row = {
  wait: null,
  claim: null,
  reject: null,
  expire: null,
  cancel: null,
  supersede: null,
  askConfirmation: null,
  start: null,
  release: null,
  succeed: null,
  fail: null,
  loseTrack: null,
};

/** Before the claim nothing has happened to the host, so every end is open. */
const UNCLAIMED: Row = {
  ...NOTHING,
  claim: 'claimed',
  reject: 'rejected',
  expire: 'expired',
  cancel: 'cancelled',
  supersede: 'superseded',
  askConfirmation: 'needs_confirmation',
};

/** State × event → next state; null: it cannot happen. A state or event that is missing does not compile. */
export const INTENT_TRANSITIONS: Readonly<Record<IntentState, Row>> = {
  received: { ...UNCLAIMED, wait: 'waiting' },
  waiting: UNCLAIMED,
  // Released before any effect: a crash, or a lease that was lost.
  claimed: { ...NOTHING, start: 'running', release: 'waiting', fail: 'failed' },
  running: { ...NOTHING, succeed: 'succeeded', fail: 'failed', loseTrack: 'unknown' },
  succeeded: NOTHING,
  failed: NOTHING,
  unknown: NOTHING,
  rejected: NOTHING,
  expired: NOTHING,
  cancelled: NOTHING,
  superseded: NOTHING,
  needs_confirmation: NOTHING,
};

/** The state after an event, or null when the event cannot happen in this state. */
export function nextIntentState(state: IntentState, event: IntentEvent): IntentState | null {
  return INTENT_TRANSITIONS[state][event];
}

/** True while the host cannot have noticed anything of the intent: it can be cancelled and replaced. */
export function isUnclaimed(state: IntentState): boolean {
  return state === 'received' || state === 'waiting';
}
