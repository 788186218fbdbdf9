import { useState } from 'react';
import { routes } from '#shared/http/routes.ts';
import { callApi } from '../../data/call-api.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

/** See {@link RemoveDialog}. */
export interface RemoveDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly hostId: string;
  readonly label: string;
}

/** Asks before a host is removed, and says what becomes of its history. */
export function RemoveDialog({ open, onClose, hostId, label }: RemoveDialogProps) {
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function remove(): Promise<void> {
    setSending(true);
    setProblem(null);
    const answer = await callApi(routes.deleteHost, { params: { hostId } });
    setSending(false);
    if (answer.ok) onClose();
    else setProblem(answer.message);
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Remove ${label}?`}
      actions={
        <>
          <Button look="danger" disabled={isSending} onClick={() => void remove()}>
            Remove {label}
          </Button>
          <Button look="quiet" onClick={onClose}>
            Keep it
          </Button>
        </>
      }
    >
      <p>
        Drover stops listening to it, forgets its key, and its card leaves every device. Nothing on the host
        itself is changed.
      </p>
      <p>
        Its history stays: the requests already recorded remain in Activity until they reach the retention
        limit. If the same id is added again, new rows are kept apart from the old ones.
      </p>
      {problem === null ? null : <p role="alert">{problem}</p>}
    </Dialog>
  );
}
