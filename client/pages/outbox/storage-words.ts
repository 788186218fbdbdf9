import type { OutboxState } from '../../data/intents/types.ts';
import { plural } from '../../ui/format.ts';

/** What is wrong with the queue of this device; null when nothing is. */
export function noticeWords(outbox: OutboxState): { readonly title: string; readonly detail: string } | null {
  const waiting = outbox.unsent === 0 ? 'What is asked now' : plural(outbox.unsent, 'action');
  const lost = `${waiting} would be lost when this page closes.`;
  if (outbox.storage === 'not-saved') {
    return {
      title: 'Not saved here.',
      detail: `${asSentence(outbox.storageError ?? 'The browser refuses')} ${lost}`,
    };
  }
  if (outbox.refusal !== null) {
    return { title: 'The collector does not take what waits here.', detail: outbox.refusal };
  }
  if (outbox.storage === 'insecure' && outbox.unsent > 0) {
    return { title: 'Not saved here: this address is not encrypted.', detail: lost };
  }
  return null;
}

/** Browsers say why in words of their own, often without a full stop. */
function asSentence(text: string): string {
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
