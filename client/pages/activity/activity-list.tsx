/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows are laid out absolutely: table elements would lose their roles */
import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import type { ActivityRow as Row } from '#shared/schemas/activity.ts';
import { useFleet } from '../../data/use-fleet.ts';
import { useNow } from '../../data/use-now.ts';
import type { ActivityFeed } from '../../data/types.ts';
import { Icon } from '../../ui/icon.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { BREAKPOINTS, useMedia } from '../../ui/use-media.ts';
import styles from './activity-list.module.css';
import { ActivityRow } from './activity-row.tsx';
import { ListEnd } from './list-end.tsx';
import { RowDialog } from './row-dialog.tsx';
import { rowKey } from './row-view.ts';
import { RunningRow } from './running-row.tsx';
import type { HeldFeed } from './use-held-feed.ts';

/** Rows of the two densities, in px: the virtual list must know them before it draws. */
const TABLE_ROW = 28;
const TWO_LINES = 56;
/** Within this much of the top the reader counts as following. */
const TOP_SLACK = 4;

interface ActivityListProps {
  readonly held: HeldFeed;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly onNewest: () => void;
}

/** The rows, only those in view; they stand still while the reader is anywhere but at the top. */
export function ActivityList({ held, scroller, onNewest }: ActivityListProps) {
  'use no memo'; // The virtualizer hands out a mutable object; a memoized read of it would never move.
  const list = useRef<HTMLDivElement>(null);
  const isTable = useMedia(BREAKPOINTS.laptop);
  const { hosts } = useFleet();
  const now = useNow(60_000);
  const { shown, waiting, hold, release } = held;
  const [selected, setSelected] = useState<string | null>(null);
  const [opened, setOpened] = useState<Row | null>(null);
  const rowHeight = isTable ? TABLE_ROW : TWO_LINES;
  // oxlint-disable-next-line react/incompatible-library -- the directive above keeps the compiler out
  const virtualizer = useVirtualizer({
    count: shown.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);

  const toNewest = (): void => {
    setSelected(null);
    onNewest();
  };
  const move = (step: 1 | -1): void => {
    const current = indexOfKey(shown, selected, virtualizer.range?.startIndex ?? 0);
    const next = Math.min(shown.count - 1, Math.max(0, current === null ? 0 : current + step));
    const row = shown.rowAt(next);
    if (row === undefined) return;
    setSelected(rowKey(row));
    virtualizer.scrollToIndex(next, { align: 'auto' });
  };
  const open = (): void => {
    const index = indexOfKey(shown, selected, virtualizer.range?.startIndex ?? 0);
    setOpened(index === null ? null : (shown.rowAt(index) ?? null));
  };
  useShortcuts({ j: () => move(1), k: () => move(-1), Enter: open, n: toNewest });

  const labels = new Map(hosts.map((host) => [host.id, host.label]));
  const margin = virtualizer.options.scrollMargin;
  return (
    <div className={styles.frame}>
      <div
        ref={scroller}
        className={styles.scroller}
        onScroll={(event) => {
          if (event.currentTarget.scrollTop > TOP_SLACK) hold();
          else release();
        }}
      >
        <div
          role="grid"
          aria-label="Activity, newest first"
          aria-rowcount={shown.count + 1}
          tabIndex={0}
          className={styles.grid}
          aria-activedescendant={selected === null ? undefined : rowDomId(selected)}
          onKeyDown={(event) => {
            const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null;
            if (step === null) return;
            event.preventDefault();
            move(step);
          }}
        >
          <div role="row" className={styles.heads} aria-rowindex={1}>
            {['Ended', 'Status', 'Host', 'Model', 'Source', 'Tokens in → out', 't/s', 'Took'].map((head) => (
              <span key={head} role="columnheader">
                {head}
              </span>
            ))}
          </div>
          <div role="row">
            <div role="gridcell" aria-colspan={8}>
              <RunningRow counts={shown.counts} from={shown.from} />
            </div>
          </div>
          <div
            ref={list}
            role="rowgroup"
            className={styles.list}
            style={{ height: `${virtualizer.getTotalSize()}px` }}
          >
            {virtualizer.getVirtualItems().map((item) => {
              const row = shown.rowAt(item.index);
              if (row === undefined) return null;
              const key = rowKey(row);
              return (
                <ActivityRow
                  key={key}
                  id={rowDomId(key)}
                  row={row}
                  rowIndex={item.index + 2}
                  hostLabel={labels.get(row.hostId) ?? row.hostId}
                  now={now}
                  isSelected={key === selected}
                  top={item.start - margin}
                  height={rowHeight}
                  onOpen={() => {
                    setSelected(key);
                    setOpened(row);
                  }}
                />
              );
            })}
          </div>
        </div>
        <ListEnd feed={shown} />
      </div>
      {waiting === 0 ? null : (
        <button type="button" className={styles.pill} onClick={toNewest}>
          <Icon name="up" size="s" />
          {waiting >= 1000 ? 'Many' : waiting} new
        </button>
      )}
      <RowDialog row={opened} onClose={() => setOpened(null)} />
    </div>
  );
}

function rowDomId(key: string): string {
  return `row-${key.replaceAll(' ', '-')}`;
}

/** Where the selected row is now: rows above it may have come or gone. */
function indexOfKey(feed: ActivityFeed, key: string | null, near: number): number | null {
  if (key === null) return null;
  const reach = 2000;
  for (let index = Math.max(0, near - reach); index < Math.min(feed.count, near + reach); index += 1) {
    const row = feed.rowAt(index);
    if (row !== undefined && rowKey(row) === key) return index;
  }
  return null;
}
