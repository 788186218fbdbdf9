import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { parseBudget } from './storage-view.ts';

/** Asks for a budget of one's own. */
export function BudgetDialog({
  open,
  onClose,
  onSet,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onSet: (bytes: number) => void;
}) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  function close(): void {
    setText('');
    setProblem(null);
    onClose();
  }

  function submit(): void {
    const parsed = parseBudget(text);
    if ('problem' in parsed) {
      setProblem(parsed.problem);
      return;
    }
    onSet(parsed.bytes);
    close();
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      title="How much history to keep"
      actions={
        <>
          <Button look="ink" onClick={submit}>
            Keep so much
          </Button>
          <Button look="quiet" onClick={close}>
            Cancel
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field
          label="Megabytes"
          inputMode="decimal"
          value={text}
          error={problem}
          hint="Past it the oldest days go first. Pinned days stay, and so does what waits in the outbox."
          onChange={(event) => {
            setText(event.target.value);
            setProblem(null);
          }}
        />
      </form>
    </Dialog>
  );
}
