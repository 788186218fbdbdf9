import type { IntentEntry } from '../../data/intents/types.ts';
import { needsYou } from '../../data/intents/needs-you.ts';
import { intentLook, isFailedStart } from '../intents/intent-state.ts';
import { intentOutcome } from '../intents/intent-outcome.ts';
import { intentTitle } from '../intents/intent-words.ts';
import type { NeedsYouItem } from './needs-you-view.ts';

/**
 * What of this device's own actions waits for a person: to confirm again, what is not known, and what failed. A load whose
 * model did not start is left out: the model itself stands there for it, with the same reason.
 */
export function needsYouIntents(
  entries: readonly IntentEntry[],
  hosts: readonly { readonly id: string; readonly label: string; readonly demo: boolean }[],
  now: number,
): readonly NeedsYouItem[] {
  const known = new Map(hosts.map((host) => [host.id, host]));
  return entries
    .filter(
      (entry) =>
        needsYou(entry) ||
        (entry.isMine && !entry.dismissed && entry.state === 'failed' && !isFailedStart(entry)),
    )
    .map((entry) => {
      const hostId = entry.target.hostId ?? '';
      const host = known.get(hostId);
      const { glyph, hue, word } = intentLook(entry.state);
      const { text } = intentOutcome(entry, { now });
      const label = host?.label ?? hostId;
      return {
        key: `intent ${entry.id}`,
        hostId,
        intentId: entry.id,
        glyph,
        hue,
        title: `${intentTitle(entry)}: ${word.toLowerCase()}`,
        detail: text === '' ? label : `${label}: ${text.charAt(0).toLowerCase()}${text.slice(1)}`,
        demo: host?.demo ?? false,
      };
    });
}
