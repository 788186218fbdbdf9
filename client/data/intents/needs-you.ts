import type { IntentEntry } from './types.ts';

const ASKING: ReadonlySet<IntentEntry['state']> = new Set([
  'needs_confirmation',
  'unknown',
  'not-saved',
  'expired-here',
]);

/** True while an own intent waits for its author: to confirm again, to settle what is not known, to look at what was lost. */
export function needsYou(entry: IntentEntry): boolean {
  return entry.isMine && !entry.dismissed && ASKING.has(entry.state);
}
