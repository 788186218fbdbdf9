import type { IntentEntry } from '../../data/intents/types.ts';
import { intentPlace } from '../intents/intent-state.ts';

/** Something a person can do about an action. */
export type EntryAction =
  | 'cancel'
  | 'change-expiry'
  | 'ask-again'
  | 'dismiss'
  | 'abort'
  | 'confirm'
  | 'only-if-idle'
  | 'note'
  | 'log';

/** What can be done about an action by this device, the likeliest first. */
export function entryActions(entry: IntentEntry): readonly EntryAction[] {
  const { state, isMine, kind } = entry;
  const place = intentPlace(state);
  if (place === 'device') return entry.cancelAsked ? [] : ['cancel', 'change-expiry'];
  if (place === 'collector') {
    if (state === 'running' || state === 'claimed') return kind === 'model.load' ? ['abort'] : [];
    return isMine && !entry.cancelAsked ? ['cancel', 'change-expiry'] : [];
  }
  // A request that is gone does not come back under its id.
  const again: readonly EntryAction[] = isMine && kind !== 'request.cancel' ? ['ask-again'] : [];
  switch (state) {
    case 'expired-here':
      return entry.dismissed ? again : ['ask-again', 'dismiss'];
    case 'needs_confirmation':
      if (!isMine || entry.dismissed) return again;
      return kind === 'model.unload' ? ['confirm', 'only-if-idle', 'dismiss'] : ['confirm', 'dismiss'];
    case 'failed':
      return [
        ...(entry.evidence?.lines === undefined && kind !== 'model.load' ? [] : (['log'] as const)),
        ...again,
        ...(isMine && !entry.dismissed ? (['dismiss'] as const) : []),
      ];
    case 'unknown':
      return isMine && !entry.dismissed ? ['note', 'dismiss'] : ['note'];
    case 'rejected':
    case 'expired':
    case 'cancelled':
    case 'dropped':
      return again;
    default:
      return [];
  }
}

/** What each action is called on its button. */
export const ACTION_WORDS: Readonly<Record<EntryAction, string>> = {
  cancel: 'Cancel',
  'change-expiry': 'Change expiry',
  'ask-again': 'Ask again',
  dismiss: 'Dismiss',
  abort: 'Abort',
  confirm: 'Confirm again',
  'only-if-idle': 'Unload only if idle',
  note: 'Add a note',
  log: 'Log',
};
