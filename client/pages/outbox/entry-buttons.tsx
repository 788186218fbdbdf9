import { Button } from '../../ui/button.tsx';
import type { IntentEntry } from '../../data/intents/types.ts';
import type { EntryAction } from './entry-actions.ts';
import { ACTION_WORDS } from './entry-actions.ts';

interface EntryButtonProps {
  readonly entry: IntentEntry;
  readonly action: EntryAction;
  readonly onAct: (entry: IntentEntry, action: EntryAction) => void;
  /** Why this device cannot act; null when it can. */
  readonly unavailable: string | null;
}

/** Actions that only look, or only tidy up here: a viewer has them too. */
const FREE: readonly EntryAction[] = ['log', 'dismiss'];

/** One button of a row. */
export function EntryButton({ entry, action, onAct, unavailable }: EntryButtonProps) {
  return (
    <Button
      look={action === 'dismiss' ? 'quiet' : 'plain'}
      unavailable={FREE.includes(action) ? null : unavailable}
      onClick={() => onAct(entry, action)}
    >
      {ACTION_WORDS[action]}
    </Button>
  );
}
