import { isTerminal } from '#shared/schemas/intent.ts';
import type { IntentState } from '#shared/schemas/intent.ts';
import type { DeviceState, IntentEntry } from '../../data/intents/types.ts';
import type { GlyphName, Hue } from '../../ui/glyph.tsx';

/** A state as it is shown: its word, its shape and its hue. */
export interface IntentLook {
  readonly word: string;
  readonly glyph: GlyphName;
  readonly hue: Hue;
}

const LOOKS: Readonly<Record<DeviceState | IntentState, IntentLook>> = {
  queued: { word: 'Queued here', glyph: 'queued', hue: 'busy' },
  'not-saved': { word: 'Not saved here', glyph: 'needs-confirmation', hue: 'warn' },
  sent: { word: 'Sent', glyph: 'sent', hue: 'busy' },
  'expired-here': { word: 'Expired', glyph: 'expired', hue: 'off' },
  dropped: { word: 'Dropped', glyph: 'cancelled', hue: 'off' },
  received: { word: 'Received', glyph: 'received', hue: 'busy' },
  waiting: { word: 'Waiting', glyph: 'waiting', hue: 'warn' },
  claimed: { word: 'Claimed', glyph: 'claimed', hue: 'busy' },
  running: { word: 'Running', glyph: 'running', hue: 'busy' },
  succeeded: { word: 'Done', glyph: 'succeeded', hue: 'ready' },
  failed: { word: 'Failed', glyph: 'failed', hue: 'bad' },
  unknown: { word: 'Not known', glyph: 'outcome-unknown', hue: 'key' },
  rejected: { word: 'Not accepted', glyph: 'rejected', hue: 'odd' },
  expired: { word: 'Expired', glyph: 'expired', hue: 'off' },
  cancelled: { word: 'Cancelled', glyph: 'cancelled', hue: 'off' },
  superseded: { word: 'Replaced', glyph: 'superseded', hue: 'off' },
  needs_confirmation: { word: 'Confirm again', glyph: 'needs-confirmation', hue: 'warn' },
};

/** Where an intent stands: still on this device, at the collector and not over, or over. */
export type IntentPlace = 'device' | 'collector' | 'ended';

/** See {@link IntentPlace}. */
export function intentPlace(state: IntentEntry['state']): IntentPlace {
  switch (state) {
    case 'queued':
    case 'not-saved':
    case 'sent':
      return 'device';
    case 'expired-here':
    case 'dropped':
      return 'ended';
    default:
      return isTerminal(state) ? 'ended' : 'collector';
  }
}

/**
 * Word, shape and hue of a state. `isPast`: the collector is away, and what goes on there is only known to have been;
 * what ended is a record and what stands on this device is known: both keep their look.
 */
export function intentLook(state: IntentEntry['state'], isPast = false): IntentLook {
  const look = LOOKS[state];
  if (!isPast || intentPlace(state) !== 'collector') return look;
  const word = look.word.toLowerCase();
  return { word: `was ${word}`, glyph: look.glyph, hue: 'stale' };
}

/** The look of one step of an intent's life; a word this version does not know keeps itself. */
export function stepLook(state: string): IntentLook {
  return isKnown(state) ? LOOKS[state] : { word: state, glyph: 'unknown', hue: 'off' };
}

function isKnown(state: string): state is keyof typeof LOOKS {
  return Object.hasOwn(LOOKS, state);
}

/** True for an end that a person has to know of: nothing was done, or nobody knows. */
export function isBadEnd(state: IntentEntry['state']): boolean {
  return ['failed', 'unknown', 'rejected', 'expired', 'expired-here', 'needs_confirmation'].includes(state);
}

/** True for a load whose model did not start: the model itself says so wherever it stands, with the same reason. */
export function isFailedStart({ kind, state, code }: Pick<IntentEntry, 'kind' | 'state' | 'code'>): boolean {
  return kind === 'model.load' && state === 'failed' && code === 'start_failed';
}
