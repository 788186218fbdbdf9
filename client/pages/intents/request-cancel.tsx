import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { showToast } from '../../ui/toast.tsx';
import { cancelRequestDraft } from './act-drafts.ts';
import { useActOn } from './act-on.tsx';
import { closeModelSheet } from './model-sheet-state.ts';
import { RowIntent } from './row-intent.tsx';

/** See {@link RequestCancel}. */
export interface RequestCancelProps {
  readonly hostId: string;
  readonly modelId: string;
  readonly requestId: string;
}

/** Asks whether a running request shall be cut; while that is under way it says how far it is. */
export function RequestCancel({ hostId, modelId, requestId }: RequestCancelProps) {
  const { act, unavailable } = useActOn();
  return (
    <RowIntent hostId={hostId} requestId={requestId}>
      <IconButton
        label={unavailable ?? `Cancel this request of ${modelId}`}
        aria-disabled={unavailable !== null || undefined}
        onClick={() => {
          if (unavailable !== null) {
            showToast({ title: unavailable });
            return;
          }
          // One sheet at a time: the row may stand in a model's.
          closeModelSheet();
          void act(cancelRequestDraft(hostId, modelId, requestId));
        }}
      >
        <Icon name="close" size="s" />
      </IconButton>
    </RowIntent>
  );
}
