import { useState } from 'react';
import { routes } from '#shared/http/routes.ts';
import { callApi } from '../../data/call-api.ts';
import { dismissIntent } from '../../data/intent-actions.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import { useConnection } from '../../data/use-connection.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { intentTitle } from '../intents/intent-words.ts';

interface NoteSheetProps {
  /** Null: closed. */
  readonly entry: IntentEntry | null;
  readonly onClose: () => void;
}

const MAX_LENGTH = 500;

/** What a person found out about an action whose outcome nobody saw; it stays "not known" and keeps the note. */
export function NoteSheet({ entry, onClose }: NoteSheetProps) {
  // What it was about stays while it slides away.
  const [shown, setShown] = useState(entry);
  if (entry !== null && entry !== shown) setShown(entry);
  return shown === null ? null : (
    <Note key={shown.id} entry={shown} open={entry !== null} onClose={onClose} />
  );
}

interface NoteProps {
  readonly entry: IntentEntry;
  readonly open: boolean;
  readonly onClose: () => void;
}

function Note({ entry, open, onClose }: NoteProps) {
  const isLive = useConnection().kind === 'live';
  const [text, setText] = useState(entry.note?.text ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);

  async function send(): Promise<void> {
    if (!isLive) {
      setProblem('This needs the collector.');
      return;
    }
    setSending(true);
    const answer = await callApi(routes.noteIntent, { params: { id: entry.id }, body: { text } });
    setSending(false);
    if (!answer.ok) {
      setProblem(answer.details[0]?.message ?? answer.message);
      return;
    }
    // Somebody looked into it: it asks nobody any more.
    if (entry.isMine) await dismissIntent(entry.id);
    onClose();
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`${intentTitle(entry)}: what became of it?`}
      actions={
        <>
          <Button look="ink" disabled={isSending || text.trim() === ''} onClick={() => void send()}>
            Add the note
          </Button>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <p>Drover did not see it and repeats nothing. What you found out is kept beside it for everybody.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSending && text.trim() !== '') void send();
        }}
      >
        <Field
          label="Note"
          value={text}
          maxLength={MAX_LENGTH}
          error={problem}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(null);
          }}
        />
      </form>
    </Dialog>
  );
}
