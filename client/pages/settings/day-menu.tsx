import { useState } from 'react';
import { changeStorageWishes, withDay } from '../../data/storage-wishes.ts';
import { useHistoryDays } from '../../data/use-history-days.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { showFailure } from '../../ui/toast.tsx';
import styles from './storage-days.module.css';
import type { DayView } from './storage-view.ts';

/** The name of a day, and behind it what can be done with it. */
export function DayMenu({
  day,
  view,
  words,
}: {
  readonly day: string;
  readonly view: DayView;
  readonly words: string;
}) {
  const { fetchDay } = useHistoryDays();
  const [isFetching, setFetching] = useState(false);

  /** Now, or noted for when the collector is back; either way it is wanted on this device again. */
  async function fetch(): Promise<void> {
    changeStorageWishes(({ wantedDays, skippedDays }) => ({
      wantedDays: withDay(wantedDays, day, view.fetch === 'when back'),
      skippedDays: withDay(skippedDays, day, false),
    }));
    if (view.fetch === 'when back') return;
    setFetching(true);
    const answer = await fetchDay(day);
    setFetching(false);
    if (answer.ok) return;
    if (answer.code === 'network')
      changeStorageWishes((wishes) => ({ wantedDays: withDay(wishes.wantedDays, day, true) }));
    else showFailure({ title: `${words} was not fetched`, detail: answer.message });
  }

  async function pin(): Promise<void> {
    changeStorageWishes(({ pinnedDays, skippedDays }) => ({
      pinnedDays: withDay(pinnedDays, day, !view.isPinned),
      skippedDays: withDay(skippedDays, day, false),
    }));
    if (!view.isPinned && view.fetch !== null) await fetch();
  }

  function remove(): void {
    changeStorageWishes(({ wantedDays, skippedDays }) => ({
      wantedDays: withDay(wantedDays, day, false),
      skippedDays: withDay(skippedDays, day, true),
    }));
  }

  return (
    <Menu
      trigger={
        <button type="button" className={styles.day}>
          {words}
          {isFetching ? <small className={styles.waits}> fetching</small> : null}
        </button>
      }
    >
      <MenuItem
        unavailable={view.pinBlock}
        detail={view.isPinned ? 'Then it goes when its time has come.' : 'Kept whatever its age.'}
        onSelect={() => void pin()}
      >
        {view.isPinned ? 'Unpin' : 'Pin'}
      </MenuItem>
      {view.fetch === 'waits' ? (
        <MenuItem
          onSelect={() =>
            changeStorageWishes(({ wantedDays }) => ({ wantedDays: withDay(wantedDays, day, false) }))
          }
        >
          Do not fetch it
        </MenuItem>
      ) : view.fetch === null ? null : (
        <MenuItem
          detail={view.fetch === 'when back' ? 'As soon as the collector answers.' : ''}
          onSelect={() => void fetch()}
        >
          {view.fetch === 'when back' ? 'Fetch when back' : 'Fetch'}
        </MenuItem>
      )}
      {view.canRemove ? (
        <MenuItem detail="The collector keeps it." onSelect={remove}>
          Remove from this device
        </MenuItem>
      ) : null}
    </Menu>
  );
}
