import { queueIntent } from '../../data/intent-actions.ts';
import { serverNow } from '../../data/server-clock.ts';
import { showFailure, showToast } from '../../ui/toast.tsx';
import type { ActDraft } from './act-drafts.ts';
import type { ActResult } from './act-requests.ts';

/** Stores an action on this device; what becomes of it is shown where it was asked for. */
export async function queueAct(draft: ActDraft, isLive: boolean): Promise<ActResult> {
  const stored = await queueIntent({ ...draft, seenAt: serverNow() });
  if (!stored.ok) {
    showFailure({
      title: stored.code === 'not_saved' ? 'Not saved here' : 'Not queued',
      detail: stored.message,
    });
    return { outcome: 'not-queued', message: stored.message };
  }
  // The outbox shows it itself.
  if (!isLive && window.location.pathname !== '/outbox')
    showToast({ title: 'Queued here', detail: 'Sent when you are back.' });
  return { outcome: 'queued', id: stored.value.id };
}
