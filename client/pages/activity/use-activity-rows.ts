import type { RefObject } from 'react';
import { useActivity } from '../../data/use-activity.ts';
import { useHistoryDays } from '../../data/use-history-days.ts';
import { useNow } from '../../data/use-now.ts';
import type { ActivityFeed, ActivityFilter } from '../../data/types.ts';
import { useWholeHistory } from '../../data/use-whole-history.ts';
import { formatClock } from '../../ui/format.ts';
import type { ActivitySearch } from './activity-search.ts';
import { filterOf, listSearch } from './activity-search.ts';
import { heldWords, keptWords, onDeviceWords } from './held-words.ts';
import type { HeldFeed } from './use-held-feed.ts';
import { useHeldFeed } from './use-held-feed.ts';
import { wholeAnswer } from './whole-answer.ts';

/** What the page shows, and whose answer it is. */
export interface ActivityRows {
  readonly feed: ActivityFeed;
  readonly held: HeldFeed;
  readonly filter: ActivityFilter;
  /** `collector`: its whole history. `device`: what this device holds, of a time or of all. */
  readonly answeredBy: 'collector' | 'device';
  /** Whose answer it is and how far it goes, in words; the second for a phone. */
  readonly where: string;
  readonly whereShort: string;
  /** Why the collector's history is not shown, does not go on or is not counted; null: it is, or was not asked for. */
  readonly problem: string | null;
  /** Why the feed has no counts; null when it has, or will. */
  readonly countsProblem: string | null;
  readonly more: (() => void) | null;
  readonly isFetching: boolean;
  readonly toNewest: () => void;
  readonly again: () => void;
}

/**
 * Rows for an address. The last 24 h and single days come from this device; the whole history from the collector, and from
 * this device when the collector is away before it has answered.
 */
export function useActivityRows(
  search: ActivitySearch,
  scroller: RefObject<HTMLDivElement | null>,
): ActivityRows {
  const filter = filterOf(search);
  const isAll = search.all === true;
  const whole = useWholeHistory(filter, isAll);
  const answer = isAll ? wholeAnswer(whole) : null;
  const asksCollector = answer?.answeredBy === 'collector';
  const own = useActivity(isAll && !asksCollector ? { ...filter, all: true } : filter);
  const { days } = useHistoryDays();
  const now = useNow(60_000);
  const ownHeld = useHeldFeed(own, JSON.stringify(listSearch(search)));
  const feed = asksCollector ? whole.feed : own;
  // The collector's rows stand still by themselves.
  const held = asksCollector
    ? { shown: feed, waiting: 0, isHeld: false, hold: () => undefined, release: () => undefined }
    : ownHeld;
  const toTop = (): void => scroller.current?.scrollTo({ top: 0 });
  return {
    feed,
    held,
    filter,
    answeredBy: asksCollector ? 'collector' : 'device',
    where: asksCollector
      ? `Whole history on the collector${whole.askedAt === null ? '' : `, as of ${formatClock(whole.askedAt)}`}`
      : isAll
        ? onDeviceWords(days, own.from, now)
        : heldWords(days, own.from, now),
    whereShort: asksCollector
      ? whole.problem === null || whole.askedAt === null
        ? 'on the collector'
        : `collector, as of ${formatClock(whole.askedAt)}`
      : keptWords(days, own.from, now),
    problem: answer?.problem ?? null,
    countsProblem: asksCollector ? whole.countsProblem : null,
    more: asksCollector ? whole.more : null,
    isFetching: asksCollector && whole.isFetching,
    toNewest: () => {
      if (asksCollector) whole.again();
      held.release();
      toTop();
    },
    again: whole.again,
  };
}
