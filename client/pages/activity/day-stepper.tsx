import { useNow } from '../../data/use-now.ts';
import type { HistoryDay } from '../../data/types.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import styles from './filter-bar.module.css';
import { dayOf, dayWords, neighbourDays } from './held-words.ts';

interface DayStepperProps {
  readonly days: readonly HistoryDay[];
  readonly day: string | null;
  /** The whole history is shown. */
  readonly isAll: boolean;
  readonly onChange: (change: { readonly day: string | undefined; readonly all: true | undefined }) => void;
}

/** Which time is shown: the last 24 h, a day before, or everything there is. */
export function DayStepper({ days, day, isAll, onChange }: DayStepperProps) {
  const now = useNow(60_000);
  const { older, newer, newerIsLive } = neighbourDays(days, day, dayOf(now));
  const to = (next: string | null): void => onChange({ day: next ?? undefined, all: undefined });
  const words = isAll ? 'All history' : day === null ? 'Last 24 h' : dayWords(day, now);
  return (
    <fieldset className={styles.days} aria-label="Day">
      {isAll ? null : (
        <IconButton label="Earlier day" disabled={older === null} onClick={() => to(older)}>
          <Icon name="left" />
        </IconButton>
      )}
      <Menu
        trigger={
          <button type="button" className={styles.day} aria-label={`Time: ${words}`}>
            {words}
            <Icon name="down" size="s" />
          </button>
        }
      >
        <MenuItem checked={!isAll && day === null} onSelect={() => to(null)}>
          Last 24 h
        </MenuItem>
        <MenuItem
          checked={isAll}
          detail="On the collector; while it is away, what this device holds."
          onSelect={() => onChange({ day: undefined, all: true })}
        >
          All history
        </MenuItem>
      </Menu>
      {isAll ? null : (
        <IconButton
          label={newerIsLive ? 'Back to the last 24 h' : 'Later day'}
          disabled={newer === null && !newerIsLive}
          onClick={() => to(newer)}
        >
          <Icon name="right" />
        </IconButton>
      )}
    </fieldset>
  );
}
