import type { FailedStart } from '#shared/schemas/model.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { FailedStartLines } from './failed-start-lines.tsx';

/** See {@link FailedStartDialog}. */
export interface FailedStartDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly hostId: string;
  readonly hostLabel: string;
  readonly modelId: string;
  readonly failedStart: FailedStart;
}

/** Why a model did not start, with the log lines around it. */
export function FailedStartDialog({
  open,
  onClose,
  hostId,
  hostLabel,
  modelId,
  failedStart,
}: FailedStartDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`${modelId} failed to start on ${hostLabel}`}
      actions={
        <LinkButton to="/logs" search={{ host: hostId, model: modelId }} replace>
          Its log
        </LinkButton>
      }
    >
      <FailedStartLines failedStart={failedStart} />
    </Dialog>
  );
}
