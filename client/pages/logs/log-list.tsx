/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls can be scrolled with keys */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { SearchView } from '../../data/logs/log-search.ts';
import { formatCount } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { NewsPill } from '../../ui/news-pill.tsx';
import { BREAKPOINTS, useMedia } from '../../ui/use-media.ts';
import styles from './log-list.module.css';
import { LogRow } from './log-row.tsx';
import type { HeldLines } from './use-held-lines.ts';

/** Height of a line before it is measured, in px. */
const LINE = { phone: 20, laptop: 22 } as const;
const OVERSCAN = 12;
/** Within this much of the end the reader counts as following. */
const END_SLACK = 24;

interface LogListProps {
  readonly held: HeldLines;
  readonly found: SearchView;
  /** Key of the line whose match is looked at. */
  readonly currentHit: number | null;
  readonly wrap: boolean;
  readonly label: string;
}

/** The lines, only those in view. It stays at the newest one until the reader scrolls up. */
export function LogList({ held, found, currentHit, wrap, label }: LogListProps) {
  'use no memo'; // The virtualizer hands out a mutable object; a memoized read of it would never move.
  const scroller = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  /** The reader went up, and what holds the lines is on its way. */
  const isLeaving = useRef(false);
  const isLaptop = useMedia(BREAKPOINTS.laptop);
  const { shown, waiting, isHeld, hold, release } = held;
  const lineHeight = isLaptop ? LINE.laptop : LINE.phone;
  // oxlint-disable-next-line react/incompatible-library -- the directive above keeps the compiler out
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => shown[index]?.key ?? index,
    estimateSize: () => lineHeight,
    overscan: OVERSCAN,
    useFlushSync: false,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, lineHeight, wrap]);
  // After every rendering: lines are measured when they are drawn, and the end moves with them.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (isHeld) isLeaving.current = false;
    if (element === null || isHeld || isLeaving.current) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  });
  // Earlier lines came in above: the one that stood first stays where the eye is.
  const firstKey = shown[0]?.key ?? null;
  const before = useRef(firstKey);
  useLayoutEffect(() => {
    const known = before.current;
    before.current = firstKey;
    if (known === null || firstKey === null || firstKey >= known || !isHeld) return;
    const index = shown.findIndex(({ key }) => key >= known);
    if (index > 0) virtualizer.scrollToIndex(index, { align: 'start' });
  }, [firstKey, isHeld, shown, virtualizer]);
  const hitIndex = currentHit === null ? -1 : shown.findIndex((line) => line.key === currentHit);
  useEffect(() => {
    if (hitIndex >= 0) virtualizer.scrollToIndex(hitIndex, { align: 'center' });
  }, [virtualizer, hitIndex]);
  return (
    <div className={styles.frame}>
      <div
        ref={scroller}
        className={styles.scroller}
        data-wrap={wrap}
        onScroll={(event) => {
          const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
          const toEnd = scrollHeight - scrollTop - clientHeight;
          // New lines move the end away from the reader, never the reader: going up is leaving, but where the log got
          // shorter and its end came up.
          if (scrollTop < lastTop.current && toEnd > 1) {
            isLeaving.current = true;
            hold();
          } else if (isHeld && toEnd <= END_SLACK && scrollTop > lastTop.current) release();
          lastTop.current = scrollTop;
        }}
      >
        <div
          role="log"
          aria-live="off"
          aria-label={label}
          tabIndex={0}
          className={styles.list}
          style={{ height: `${virtualizer.getTotalSize()}px` }}
        >
          {virtualizer.getVirtualItems().map((item) => {
            const line = shown[item.index];
            if (line === undefined) return null;
            return (
              <LogRow
                key={item.key}
                ref={virtualizer.measureElement}
                index={item.index}
                line={line}
                hasHead={shown[item.index - 1]?.source !== line.source}
                matches={found.ranges.get(line.key)}
                isCurrent={line.key === currentHit}
                top={item.start}
              />
            );
          })}
        </div>
      </div>
      {isHeld ? (
        <NewsPill onClick={release}>
          <Icon name="down" size="s" />
          {waiting === 0 ? 'Follow' : `${formatCount(waiting)} new, follow`}
        </NewsPill>
      ) : null}
    </div>
  );
}
