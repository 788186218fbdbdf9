import type { Host } from '#shared/schemas/host.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import { usualMs } from '../intents/intent-words.ts';
import type { EntryAction } from './entry-actions.ts';
import { OutboxItem } from './outbox-item.tsx';
import styles from './outbox-list.module.css';
import type { OutboxSection } from './outbox-sections.ts';

interface OutboxListProps {
  readonly sections: readonly OutboxSection[];
  /** All that is known: what an action refers to may be filtered out. */
  readonly entries: readonly IntentEntry[];
  readonly hosts: readonly Host[];
  readonly now: number;
  readonly isLaptop: boolean;
  readonly openId: string | null;
  readonly unavailable: string | null;
  readonly onOpen: (id: string) => void;
  readonly onAct: (entry: IntentEntry, action: EntryAction) => void;
}

/** The actions under their headings: cards on a phone, one list on a laptop. */
export function OutboxList({ sections, entries, hosts, ...rest }: OutboxListProps) {
  const { now, isLaptop, openId, unavailable, onOpen, onAct } = rest;
  const labels = new Map(hosts.map(({ id, label }) => [id, label]));
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return (
    <div className={styles.list}>
      {sections.map((section) => (
        <section key={section.id} className={styles.section} aria-labelledby={`outbox-${section.id}`}>
          <header className={styles.head}>
            <h2 id={`outbox-${section.id}`} className={styles.title}>
              {section.title}
            </h2>
            <span className={styles.note}>{section.note}</span>
            {section.id === 'today' ? (
              <span className={styles.keeps}>the ledger keeps the last 100</span>
            ) : null}
          </header>
          <ul className={styles.items}>
            {section.entries.map((entry) => (
              <OutboxItem
                key={entry.id}
                entry={entry}
                hostLabel={labels.get(entry.target.hostId ?? '') ?? null}
                context={{
                  now,
                  isPast: section.isPast,
                  other: byId.get(entry.evidence?.byIntentId ?? '') ?? null,
                  usualMs: entry.state === 'running' ? usualMs(entry, entries) : null,
                }}
                isOpen={entry.id === openId}
                isLaptop={isLaptop}
                unavailable={unavailable}
                onOpen={() => onOpen(entry.id)}
                onAct={onAct}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
