import { useState } from 'react';
import { routes } from '#shared/http/routes.ts';
import type { ListedDevice, Role } from '#shared/schemas/auth.ts';
import { callApi } from '../../data/call-api.ts';
import type { Result } from '../../data/types.ts';
import { useFleet } from '../../data/use-fleet.ts';
import { useIntents } from '../../data/use-intents.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import styles from './device-dialog.module.css';
import { queuedWords, ROLE_MEANINGS } from './device-words.ts';

/** A change to a device that asks first. */
export type DeviceChange =
  | { readonly kind: 'rename' | 'revoke'; readonly device: ListedDevice }
  /** This device gives up its own role. */
  | { readonly kind: 'step-down'; readonly device: ListedDevice; readonly role: Role };

interface DeviceDialogProps {
  readonly change: DeviceChange | null;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** Asks once: for the new name, or whether a device is really to go or to become less. */
export function DeviceDialog({ change, onClose, onChanged }: DeviceDialogProps) {
  // What it was about stays while it slides away.
  const [shown, setShown] = useState(change);
  if (change !== null && change !== shown) setShown(change);
  return shown === null ? null : (
    <Question
      key={`${shown.kind} ${shown.device.id}`}
      change={shown}
      open={change !== null}
      onClose={onClose}
      onChanged={onChanged}
    />
  );
}

interface QuestionProps extends DeviceDialogProps {
  readonly change: DeviceChange;
  readonly open: boolean;
}

function Question({ change, open, onClose, onChanged }: QuestionProps) {
  const { device } = change;
  const entries = useIntents();
  const { hosts } = useFleet();
  const [label, setLabel] = useState(device.label);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const words = wordsOf(change, queuedWords(device.id, entries, hosts));

  async function send(): Promise<void> {
    setSending(true);
    setProblem(null);
    const answer = await carryOut(change, label);
    setSending(false);
    if (!answer.ok) setProblem(answer.details[0]?.message ?? answer.message);
    else onClose();
    onChanged();
  }

  return (
    <Dialog
      open={open}
      onClose={() => {
        setProblem(null);
        onClose();
      }}
      title={words.title}
      actions={
        <>
          <Button
            look={change.kind === 'rename' ? 'ink' : 'danger'}
            disabled={isSending || (change.kind === 'rename' && label.trim() === '')}
            onClick={() => void send()}
          >
            {words.action}
          </Button>
          <Button look="quiet" onClick={onClose}>
            {words.stay}
          </Button>
        </>
      }
    >
      {change.kind === 'rename' ? (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (!isSending && label.trim() !== '') void send();
          }}
        >
          <Field
            label="Name"
            value={label}
            maxLength={64}
            autoComplete="off"
            onChange={(event) => setLabel(event.target.value)}
            error={problem}
          />
        </form>
      ) : (
        <>
          <p>{words.text}</p>
          {problem === null ? null : (
            <p className={styles.problem} role="alert">
              {problem}
            </p>
          )}
        </>
      )}
    </Dialog>
  );
}

interface QuestionWords {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly stay: string;
}

function wordsOf(change: DeviceChange, queued: string): QuestionWords {
  const { label, role } = change.device;
  switch (change.kind) {
    case 'rename':
      return { title: `Rename ${label}`, text: '', action: 'Rename', stay: 'Cancel' };
    case 'revoke':
      return {
        title: `Revoke ${label}?`,
        text: `${label}, ${role}, is signed out at once and its copy is wiped. ${queued} To come back it needs a new code.`,
        action: `Revoke ${label}`,
        stay: 'Keep it',
      };
    case 'step-down':
      return {
        title: `Make this device ${change.role}?`,
        text: `${ROLE_MEANINGS[change.role]} Only another admin can make it admin again.`,
        action: `Make this device ${change.role}`,
        stay: `Stay ${role}`,
      };
  }
}

function carryOut(change: DeviceChange, label: string): Promise<Result<unknown>> {
  const params = { id: change.device.id };
  switch (change.kind) {
    case 'rename':
      return callApi(routes.patchDevice, { params, body: { label } });
    case 'revoke':
      return callApi(routes.revokeDevice, { params });
    case 'step-down':
      return callApi(routes.patchDevice, { params, body: { role: change.role } });
  }
}
