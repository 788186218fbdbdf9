import { useState } from 'react';
import { changeExpiry } from '../../data/intent-actions.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import { serverOffsetMs } from '../../data/server-clock.ts';
import { useNow } from '../../data/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { expiryView, intentTitle } from '../intents/intent-words.ts';
import { customExpiry, expiryChoices } from './expiry-choices.ts';
import styles from './expiry-sheet.module.css';

/** See {@link ExpirySheet}. */
export interface ExpirySheetProps {
  /** Null: closed. */
  readonly entry: IntentEntry | null;
  readonly onClose: () => void;
}

/** Until when an action that waits on this device counts. */
export function ExpirySheet({ entry, onClose }: ExpirySheetProps) {
  // What it was about stays while it slides away.
  const [shown, setShown] = useState(entry);
  if (entry !== null && entry !== shown) setShown(entry);
  const now = useNow(1000);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const close = (): void => {
    setTyped('');
    setProblem(null);
    onClose();
  };

  async function choose(untilMs: number): Promise<void> {
    if (shown === null) return;
    const answer = await changeExpiry(shown.id, untilMs);
    if (answer.ok) close();
    else setProblem(answer.message);
  }

  if (shown === null) return null;
  return (
    <Dialog open={entry !== null} onClose={close} title="How long does it count?">
      <p>
        {intentTitle(shown)}: {expiryView(shown, now).words}. Once it is too late, nothing is sent and it is
        listed as expired.
      </p>
      <div className={styles.choices}>
        {expiryChoices(now).map(({ label, untilMs }) => (
          <Button key={label} wide onClick={() => void choose(untilMs)}>
            {label}
          </Button>
        ))}
      </div>
      <form
        className={styles.custom}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const custom = customExpiry(typed, { now: now - serverOffsetMs(), createdAt: shown.createdAt });
          if (custom.untilMs === null) setProblem(custom.problem);
          // What was typed is on this device's clock.
          else void choose(custom.untilMs + serverOffsetMs());
        }}
      >
        <Field
          label="Another time"
          type="datetime-local"
          value={typed}
          error={problem}
          onChange={(event) => {
            setTyped(event.target.value);
            setProblem(null);
          }}
          aside={<Button type="submit">Set</Button>}
        />
      </form>
    </Dialog>
  );
}
