import { useState } from 'react';
import { useStorageWishes } from '../../data/storage-wishes.ts';
import type { StoredDay } from '../../data/types.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useHistoryDays } from '../../data/use-history-days.ts';
import { useNow } from '../../data/use-now.ts';
import { formatBytes, formatDay, isSameDay } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { DayMenu } from './day-menu.tsx';
import styles from './storage-days.module.css';
import { dayView, HELD_WORDS, KIND_WORDS, megabyteWords, noonOf } from './storage-view.ts';
import type { DayView } from './storage-view.ts';

/** Days that are shown before somebody asks for more: a year of retention makes a long table. */
const FIRST_DAYS = 31;

/** Every day the collector has history of: what of each kind is here, and what can be done about it. */
export function StorageDays() {
  const { stored } = useHistoryDays();
  const wishes = useStorageWishes();
  const isLive = useConnection().kind === 'live';
  const now = useNow(60_000);
  const [isWhole, setWhole] = useState(false);
  const today = stored.find(({ day }) => isSameDay(noonOf(day), now))?.day ?? '';
  const first = stored.slice(0, FIRST_DAYS);
  // What somebody pinned or waits for is never behind a button.
  const wished = new Set([...wishes.pinnedDays, ...wishes.wantedDays]);
  const shown = isWhole
    ? stored
    : [...first, ...stored.slice(FIRST_DAYS).filter(({ day }) => wished.has(day))];
  if (stored.length === 0) {
    return (
      <Panel title="By day">
        <p className={styles.empty}>Nothing kept yet. History is sealed by the hour and then comes here.</p>
      </Panel>
    );
  }
  return (
    <Panel title="By day" note="choose a day to pin, fetch or remove it">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Day</span>
            </th>
            {(stored[0]?.parts ?? []).map(({ kind }) => (
              <th key={kind} scope="col">
                {KIND_WORDS[kind]}
              </th>
            ))}
            <th scope="col">MB</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((day) => (
            <DayRow
              key={day.day}
              day={day}
              view={dayView(day, { stored, wishes, isLive, today })}
              words={day.day === today ? 'Today' : formatDay(noonOf(day.day), now)}
            />
          ))}
        </tbody>
      </table>
      {shown.length < stored.length ? (
        <div className={styles.more}>
          <Button onClick={() => setWhole(true)}>Show all {stored.length} days</Button>
        </div>
      ) : null}
    </Panel>
  );
}

function DayRow({
  day,
  view,
  words,
}: {
  readonly day: StoredDay;
  readonly view: DayView;
  readonly words: string;
}) {
  return (
    <tr>
      <th scope="row">
        <DayMenu day={day.day} view={view} words={words} />
        {view.isPinned ? (
          <span className={styles.mark}>
            <Icon name="pin" size="s" />
            <span className="visually-hidden">pinned</span>
          </span>
        ) : null}
        {view.fetch === 'waits' ? <span className={styles.waits}>fetched when back</span> : null}
      </th>
      {day.parts.map(({ kind, held, bytes }) => (
        <td key={kind} title={`${KIND_WORDS[kind]}: ${HELD_WORDS[held]}, ${formatBytes(bytes)}`}>
          <span className={styles.cell} data-held={held} aria-hidden="true" />
          <span className={styles.size} aria-hidden="true">
            {held === 'nothing' ? '' : formatBytes(bytes)}
          </span>
          <span className="visually-hidden">{HELD_WORDS[held]}</span>
        </td>
      ))}
      <td>{megabyteWords(day.heldBytes)}</td>
    </tr>
  );
}
