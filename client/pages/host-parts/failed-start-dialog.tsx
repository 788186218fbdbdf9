import type { FailedStart } from '#shared/schemas/model.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FailedStartLines } from './failed-start-lines.tsx';
import { LogLink } from './log-link.tsx';

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
      actions={<LogLink hostId={hostId} modelId={modelId} inSheet />}
    >
      <FailedStartLines failedStart={failedStart} />
    </Dialog>
  );
}
