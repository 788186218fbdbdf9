import type { IntentEntry } from '../../data/intents/types.ts';
import { IntentRow } from './intent-row.tsx';
import styles from './intent-list.module.css';
import { usualMs } from './intent-words.ts';

interface IntentListProps {
  readonly entries: readonly IntentEntry[];
  /** Where others that are named in a reason, and earlier ones of the same, are looked up. */
  readonly all: readonly IntentEntry[];
  readonly now: number;
  readonly isPast: boolean;
  /** Names of hosts by id, where rows of several stand together. */
  readonly hostLabels?: ReadonlyMap<string, string>;
}

/** Actions as short rows beside a page. */
export function IntentList({ entries, all, now, isPast, hostLabels }: IntentListProps) {
  return (
    <ul className={styles.list}>
      {entries.map((entry) => {
        const { hostId } = entry.target;
        const label = hostLabels === undefined || hostId === null ? null : (hostLabels.get(hostId) ?? hostId);
        return (
          <li key={entry.id} className={styles.row}>
            <IntentRow
              entry={entry}
              look="brief"
              hostLabel={label}
              now={now}
              isPast={isPast}
              other={all.find(({ id }) => id === entry.evidence?.byIntentId) ?? null}
              usualMs={usualMs(entry, all)}
            />
          </li>
        );
      })}
    </ul>
  );
}
