import type { IntentEntry } from '../../data/intents/types.ts';
import { IntentEnd, IntentRow } from '../intents/intent-row.tsx';
import type { OutcomeContext } from '../intents/intent-outcome.ts';
import type { EntryAction } from './entry-actions.ts';
import { entryActions } from './entry-actions.ts';
import { EntryButton } from './entry-buttons.tsx';
import styles from './outbox-item.module.css';

interface OutboxItemProps {
  readonly entry: IntentEntry;
  readonly hostLabel: string | null;
  readonly context: OutcomeContext;
  readonly isOpen: boolean;
  readonly isLaptop: boolean;
  readonly unavailable: string | null;
  readonly onOpen: () => void;
  readonly onAct: (entry: IntentEntry, action: EntryAction) => void;
}

/** Said on a row only where the detail is not needed to decide it. */
const IN_DETAIL: readonly EntryAction[] = ['only-if-idle'];
/** On the foot of a phone's card. */
const PHONE_MAX = 2;

/** An action in the list: its row opens it, the likeliest thing to do about it stands beside it or below. */
export function OutboxItem(props: OutboxItemProps) {
  const { entry, hostLabel, context, isOpen, isLaptop, unavailable, onOpen, onAct } = props;
  const possible = entryActions(entry).filter((action) => !IN_DETAIL.includes(action));
  // What is open shows its buttons in full beside the list.
  const shown = isLaptop ? (isOpen ? [] : possible.slice(0, 1)) : possible.slice(0, PHONE_MAX);
  const buttons = shown.map((action) => (
    <EntryButton key={action} entry={entry} action={action} onAct={onAct} unavailable={unavailable} />
  ));
  return (
    <li className={styles.item} data-open={isOpen} data-past={context.isPast ?? false}>
      <button
        type="button"
        className={styles.open}
        aria-expanded={isOpen}
        data-entry={entry.id}
        onClick={onOpen}
      >
        <IntentRow {...context} entry={entry} hostLabel={hostLabel} end={isLaptop ? 'apart' : 'inside'} />
      </button>
      {buttons.length === 0 ? null : <span className={styles.buttons}>{buttons}</span>}
      {isLaptop ? (
        <span className={styles.end}>
          <IntentEnd entry={entry} now={context.now} look="line" />
        </span>
      ) : null}
    </li>
  );
}
