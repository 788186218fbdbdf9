import { useState } from 'react';
import { routes } from '#shared/http/routes.ts';
import type { Role } from '#shared/schemas/auth.ts';
import { callApi } from '../../data/call-api.ts';
import { Button } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/copy-line.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import styles from './new-key-dialog.module.css';

interface NewKeyDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onMade: () => void;
}

/** Makes a key and shows it, this once. */
export function NewKeyDialog({ open, onClose, onMade }: NewKeyDialogProps) {
  const [label, setLabel] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [made, setMade] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);

  async function make(): Promise<void> {
    setSending(true);
    setProblem(null);
    const answer = await callApi(routes.createKey, { body: { label, role } });
    setSending(false);
    if (!answer.ok) {
      setProblem(answer.details[0]?.message ?? answer.message);
      return;
    }
    setMade(answer.value.key);
    onMade();
  }

  function close(): void {
    setMade(null);
    setLabel('');
    setProblem(null);
    onClose();
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      title={made === null ? 'New key' : 'Copy it now'}
      actions={
        made === null ? (
          <>
            <Button look="ink" disabled={isSending || label.trim() === ''} onClick={() => void make()}>
              Make the key
            </Button>
            <Button look="quiet" onClick={close}>
              Cancel
            </Button>
          </>
        ) : (
          <Button look="ink" onClick={close}>
            I have it
          </Button>
        )
      }
    >
      {made === null ? (
        <div className={styles.form}>
          <Field
            label="Label"
            value={label}
            maxLength={64}
            placeholder="ci-nightly"
            autoComplete="off"
            onChange={(event) => setLabel(event.target.value)}
            error={problem}
          />
          <Segmented
            label="Role"
            wide
            value={role}
            options={[
              { value: 'viewer', label: 'Viewer' },
              { value: 'operator', label: 'Operator' },
              { value: 'admin', label: 'Admin' },
            ]}
            onChange={setRole}
          />
          <p>A viewer looks, an operator acts, an admin adds hosts and lets people in.</p>
        </div>
      ) : (
        <div className={styles.form}>
          <CopyLine text={made} label="Copy the key" />
          <p>It is shown this once. Drover keeps a hash of it; a lost key is replaced, never recovered.</p>
        </div>
      )}
    </Dialog>
  );
}
