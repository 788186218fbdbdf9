import type { ActDraft } from './act-drafts.ts';
import { modelOf } from './act-drafts.ts';
import type { Cut } from './act-need.ts';
import { confirmRows } from './confirm-rows.ts';
import type { ConfirmContext, ConfirmView } from './confirm-view.ts';
import { intentTitleOn } from './intent-words.ts';

/** The sheet before one running request is cut: which one, of whom, and how long it has run. */
export function cancelView(draft: ActDraft, cut: Cut, { facts, label, now }: ConfirmContext): ConfirmView {
  const modelId = modelOf(draft);
  const subject = { kind: draft.kind, target: draft.target, params: { ...draft.params } };
  const hasEnded = cut.count === 0;
  const { hostId } = draft.target;
  const confirm = { hostId, ...(modelId === null ? {} : { modelId }), inFlight: cut.count };
  return {
    title: `${intentTitleOn(subject, label)}?`,
    lead: hasEnded
      ? 'It has ended by itself.'
      : cut.count === null
        ? 'Whether it still runs is not known.'
        : 'It is running now.',
    text: hasEnded
      ? 'Nothing is left to cancel.'
      : `${cut.count === null ? 'If it does, it' : 'It'} will be cut off, and its caller gets half an answer.`,
    rows: confirmRows(cut.requests, modelId !== null, now),
    more: 0,
    note: facts.isLive
      ? ''
      : 'This device does not hear the collector. It is queued here and sent when you are back.',
    isCounted: false,
    choices: hasEnded
      ? []
      : [
          {
            key: 'cancel',
            label: modelId === null ? 'Cut this request' : `Cut this request of ${modelId}`,
            look: 'danger',
            draft: { ...draft, confirm },
          },
        ],
    keep: hasEnded ? 'Close' : 'Let it run',
    waits: false,
  };
}
