import type { IntentEntry } from '../../data/intents/types.ts';
import { Button } from '../../ui/button.tsx';
import { confirmWords } from './confirm-words.ts';
import type { EntryAction } from './entry-actions.ts';
import { ACTION_WORDS, entryActions } from './entry-actions.ts';
import styles from './outbox-detail.module.css';

interface DetailButtonsProps {
  readonly entry: IntentEntry;
  /** What runs on it now; null: not known. */
  readonly inFlight: number | null;
  readonly unavailable: string | null;
  readonly onAct: (action: EntryAction) => void;
}

/** Everything that can be done about an action; what cuts requests says how many. */
export function DetailButtons({ entry, inFlight, unavailable, onAct }: DetailButtonsProps) {
  const actions = entryActions(entry).filter((action) => action !== 'log');
  if (actions.length === 0) return null;
  return (
    <div className={styles.buttons}>
      {actions.map((action) => (
        <Button
          key={action}
          look={lookOf(action, entry, inFlight)}
          unavailable={action === 'dismiss' ? null : unavailable}
          onClick={() => onAct(action)}
        >
          {action === 'confirm' ? confirmWords(entry, inFlight) : ACTION_WORDS[action]}
        </Button>
      ))}
    </div>
  );
}

function lookOf(
  action: EntryAction,
  { kind }: IntentEntry,
  inFlight: number | null,
): 'plain' | 'danger' | 'quiet' | 'ink' {
  if (action === 'dismiss') return 'quiet';
  if (action !== 'confirm') return 'plain';
  return kind === 'model.unload' && inFlight !== 0 ? 'danger' : 'ink';
}
