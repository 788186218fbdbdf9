import { askAgain, cancelIntent, dismissIntent, queueIntent } from '../../data/intent-actions.ts';
import type { IntentDraft, IntentEntry } from '../../data/intents/types.ts';
import { serverNow } from '../../data/server-clock.ts';
import type { Result } from '../../data/types.ts';
import { showFailure } from '../../ui/toast.tsx';
import { intentTitle } from '../intents/intent-words.ts';

/** Asks the same again, as it stands now: agreed to a count, or only if nothing runs. It replaces the one before. */
export async function confirmAgain(
  entry: IntentEntry,
  agreed: { readonly inFlight: number | null } | 'only-if-idle',
): Promise<void> {
  const { hostId, modelId } = entry.target;
  if (hostId === null) return;
  const common = { supersedes: entry.id, whenDown: entry.whenDown, seenAt: serverNow() };
  const condition =
    agreed === 'only-if-idle'
      ? { precondition: { inFlightMax: 0 } }
      : { confirm: { hostId, inFlight: agreed.inFlight, ...(modelId === undefined ? {} : { modelId }) } };
  const draft = draftOf(entry, { ...common, ...condition });
  if (draft === null) {
    showFailure({ title: 'Not asked again', detail: 'This version does not know the action.' });
    return;
  }
  const answer = await queueIntent(draft);
  report(entry, 'asked again', answer);
  // It was answered: nobody has to look at the old one again.
  if (answer.ok) await dismissIntent(entry.id);
}

/** Stops a load that runs: an unload that names it. What already runs on the model is cut. */
export async function abortLoad(entry: IntentEntry, inFlight: number | null): Promise<void> {
  const { hostId, modelId } = entry.target;
  if (hostId === null || modelId === undefined) return;
  const draft: IntentDraft = {
    kind: 'model.unload',
    target: { hostId, modelId },
    params: {},
    whenDown: 'reject',
    supersedes: entry.id,
    confirm: { hostId, modelId, inFlight },
    seenAt: serverNow(),
  };
  report(entry, 'aborted', await queueIntent(draft));
}

/** Takes it back before it is claimed. */
export async function cancel(entry: IntentEntry): Promise<void> {
  report(entry, 'cancelled', await cancelIntent(entry.id));
}

/** Asks for the same anew. */
export async function again(entry: IntentEntry): Promise<void> {
  report(entry, 'asked again', await askAgain(entry.id));
}

/** Was read: it asks nothing any more. */
export async function dismiss(entry: IntentEntry): Promise<void> {
  report(entry, 'dismissed', await dismissIntent(entry.id));
}

function report(entry: IntentEntry, what: string, result: Result<unknown>): void {
  // What was done shows on the page itself.
  if (!result.ok) showFailure({ title: `${intentTitle(entry)}: not ${what}`, detail: result.message });
}

type More = Partial<Pick<IntentDraft, 'precondition' | 'confirm'>> &
  Pick<IntentDraft, 'supersedes' | 'whenDown' | 'seenAt'>;

function draftOf({ kind, target: { hostId, modelId }, params }: IntentEntry, more: More): IntentDraft | null {
  if (hostId === null) return null;
  if (kind === 'model.load' && modelId !== undefined)
    return { ...more, kind, target: { hostId, modelId }, params: {} };
  if (kind !== 'model.unload') return null;
  return modelId === undefined
    ? { ...more, kind, target: { hostId }, params: params['all'] === true ? { all: true } : {} }
    : { ...more, kind, target: { hostId, modelId }, params: {} };
}
