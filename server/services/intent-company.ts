import type { IntentRequest } from '#shared/schemas/intent-request.ts';
import type { IntentRules } from '../domain/intent-kind.ts';
import type { IntentStore, IntentWords, ReadableIntent } from '../domain/intent-ports.ts';
import { spanWords } from '../domain/intent-words.ts';

/**
 * Adds to the words of an end that somebody else's intent was done first: two people who asked for different things
 * each see one outcome, and why it came so.
 */
export function withCompany(
  intent: ReadableIntent,
  words: IntentWords,
  intents: IntentStore,
  registry: Readonly<Record<IntentRequest['kind'], IntentRules>>,
): IntentWords {
  const { view, seq } = intent;
  const before = intents
    .endedSince(intent.request.target.hostId, view.receivedAt)
    .find(
      (other) =>
        other.seq < seq &&
        other.view.state === 'succeeded' &&
        other.request !== null &&
        registry[other.request.kind].lane === 'queue' &&
        other.view.author.id !== view.author.id,
    );
  if (!before?.request || words.reason === null) return words;
  const label = registry[before.request.kind].label(before.request);
  const earlier = spanWords(view.receivedAt - before.view.receivedAt);
  return {
    ...words,
    reason: `${words.reason} It came after ${before.view.author.label}'s "${label}", received ${earlier} earlier.`,
    evidence: { byIntentId: before.view.id, ...words.evidence },
  };
}
