/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the grid is the focus and has the keys; rows are laid out absolutely: table elements would lose their roles */
import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import type { ActivityGap, ActivityRequest, ActivityRow as Row } from '#shared/schemas/activity.ts';
import type { CaptureKey } from '#shared/schemas/capture.ts';
import { useFleet } from '../../data/use-fleet.ts';
import { useNow } from '../../data/use-now.ts';
import type { ActivityFeed } from '../../data/types.ts';
import { Icon } from '../../ui/icon.tsx';
import { NewsPill } from '../../ui/news-pill.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { BREAKPOINTS, useMedia } from '../../ui/use-media.ts';
import styles from './activity-list.module.css';
import { ActivityRow, FIRST_ROW } from './activity-row.tsx';
import { countWords } from './count-words.ts';
import { dayMoment } from './held-words.ts';
import { ListEnd } from './list-end.tsx';
import { GapDialog } from './gap-dialog.tsx';
import { Inspected } from './inspected.tsx';
import { rowKey } from './row-view.ts';
import { RunningRow } from './running-row.tsx';
import type { ActivityRows } from './use-activity-rows.ts';

/** Rows of the two densities, in px: the virtual list must know them before it draws. */
const TABLE_ROW = 28;
const TWO_LINES = 56;
/** So many rows before the last one the next page is fetched. */
const NEAR_END = 60;
/** Rows drawn beyond each edge. */
const OVERSCAN = 6;
/** Within this much of the top the reader counts as following. */
const TOP_SLACK = 4;

interface ActivityListProps {
  readonly rows: ActivityRows;
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** The day that is shown; null: the live window. Times of another day carry its name. */
  readonly day: string | null;
  /** The request that is open; null: none. */
  readonly inspected: CaptureKey | null;
  readonly onInspect: (request: ActivityRequest | null) => void;
}

/** The rows, only those in view; they stand still while the reader is anywhere but at the top. */
export function ActivityList({ rows, scroller, day, inspected, onInspect }: ActivityListProps) {
  'use no memo'; // The virtualizer hands out a mutable object; a memoized read of it would never move.
  const list = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const isTable = useMedia(BREAKPOINTS.laptop);
  const { hosts } = useFleet();
  const today = useNow(60_000);
  const now = day === null ? today : dayMoment(day);
  const { shown, waiting, hold, release } = rows.held;
  const [selected, setSelected] = useState<string | null>(null);
  const [openedGap, setOpenedGap] = useState<ActivityGap | null>(null);
  const rowHeight = isTable ? TABLE_ROW : TWO_LINES;
  // oxlint-disable-next-line react/incompatible-library -- the directive above keeps the compiler out
  const virtualizer = useVirtualizer({
    count: shown.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    useFlushSync: false,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);

  const toNewest = (): void => {
    setSelected(null);
    rows.toNewest();
  };
  const show = (row: Row | null | undefined): void => {
    if (row?.type === 'request') onInspect(row);
    else if (row) setOpenedGap(row);
  };
  const move = (step: 1 | -1): Row | null => {
    const current = indexOfKey(shown, selected, virtualizer.range?.startIndex ?? 0);
    const next = Math.min(shown.count - 1, Math.max(0, current === null ? 0 : current + step));
    const row = shown.rowAt(next);
    if (row === undefined) return null;
    setSelected(rowKey(row));
    virtualizer.scrollToIndex(next, { align: 'auto' });
    return row;
  };
  const open = (): void => {
    const index = indexOfKey(shown, selected, virtualizer.range?.startIndex ?? 0);
    show(index === null ? null : shown.rowAt(index));
  };
  useShortcuts({ j: () => void move(1), k: () => void move(-1), Enter: open, n: toNewest });

  const items = virtualizer.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) >= shown.count - NEAR_END;
  const { more } = rows;
  useEffect(() => {
    if (isNearEnd) more?.();
  }, [isNearEnd, more]);
  // Elements are used again for the rows that scroll in: making and removing them would cost more than drawing.
  const pool = Math.max(
    1,
    Math.ceil((scroller.current?.clientHeight ?? 0) / rowHeight) + 2 * OVERSCAN + 2,
    items.length,
  );
  const inspectedKey = inspected === null ? null : rowKey({ type: 'request', ...inspected });
  const labels = new Map(hosts.map((host) => [host.id, host.label]));
  const margin = virtualizer.options.scrollMargin;
  return (
    <div className={styles.frame} data-inspecting={inspected !== null}>
      <div
        ref={scroller}
        className={styles.scroller}
        onScroll={(event) => {
          if (event.currentTarget.scrollTop > TOP_SLACK) hold();
          else release();
        }}
      >
        <div
          ref={grid}
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
              <RunningRow counts={countWords(shown, rows.countsProblem)} where={rows.whereShort} />
            </div>
          </div>
          <div
            ref={list}
            role="rowgroup"
            className={styles.list}
            onClick={(event) => {
              const row = rowOf(shown, event.target);
              if (row === undefined) return;
              setSelected(rowKey(row));
              show(row);
            }}
            style={{ height: `${virtualizer.getTotalSize()}px` }}
          >
            {items.map((item) => {
              const row = shown.rowAt(item.index);
              if (row === undefined) return null;
              const key = rowKey(row);
              return (
                <ActivityRow
                  key={item.index % pool}
                  id={rowDomId(key)}
                  row={row}
                  rowIndex={item.index + FIRST_ROW}
                  hostLabel={labels.get(row.hostId) ?? row.hostId}
                  now={now}
                  isSelected={key === (selected ?? inspectedKey)}
                  isTable={isTable}
                  top={item.start - margin}
                  height={rowHeight}
                />
              );
            })}
          </div>
        </div>
        <ListEnd rows={rows} />
      </div>
      {waiting === 0 ? null : (
        <NewsPill onClick={toNewest}>
          <Icon name="up" size="s" />
          {waiting >= 1000 ? 'Many' : waiting} new
        </NewsPill>
      )}
      <GapDialog gap={openedGap} onClose={() => setOpenedGap(null)} returnTo={grid} />
      <Inspected
        feed={shown}
        request={inspected}
        onClose={() => onInspect(null)}
        onStep={(step) => show(move(step))}
        returnTo={grid}
      />
    </div>
  );
}

/** The row that was clicked: one listener for all of them keeps a row free of closures. */
function rowOf(feed: ActivityFeed, target: EventTarget): Row | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return element === null ? undefined : feed.rowAt(Number(element.dataset['index']));
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
