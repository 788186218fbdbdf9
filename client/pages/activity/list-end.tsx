import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { changeStorageWishes, withDay } from '../../data/storage-wishes.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useHistoryDays } from '../../data/use-history-days.ts';
import { useNow } from '../../data/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes, formatMoment } from '../../ui/format.ts';
import { showFailure } from '../../ui/toast.tsx';
import type { ActivitySearch } from './activity-search.ts';
import { isFiltered, withoutFilters } from './activity-search.ts';
import { dayWords } from './held-words.ts';
import styles from './list-end.module.css';
import type { ActivityRows } from './use-activity-rows.ts';

const route = getRouteApi('/activity');

/** Below the last row: what is not on this device, or that nothing matches. */
export function ListEnd({ rows }: { readonly rows: ActivityRows }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const now = useNow(60_000);
  const feed = rows.held.shown;
  const isAll = search.all === true;
  const isEmpty = feed.count === 0 && feed.state === 'ready';
  const isWhole = feed.missing.days.length === 0;
  return (
    <div className={styles.end}>
      {rows.problem === null ? null : (
        <output className={styles.missing}>
          <span>
            {rows.problem} {rows.where}.
          </span>
          <Button onClick={rows.again}>Ask the collector again</Button>
        </output>
      )}
      {isAll ? null : feed.missing.days.map((day) => <MissingDay key={day} day={day} />)}
      {isEmpty && isFiltered(search) ? (
        <>
          <p>Nothing matches.</p>
          <Button onClick={() => void navigate({ search: withoutFilters(search) })}>Clear filters</Button>
        </>
      ) : null}
      {isFiltered(search) && !isAll && feed.state === 'ready' ? (
        <Button
          onClick={() => {
            const { day: _day, ...filters } = search;
            void navigate({ search: { ...filters, all: true } });
          }}
        >
          Search all history
        </Button>
      ) : null}
      {isEmpty && !isFiltered(search) && (isWhole || isAll) ? <p>{emptyWords(search)}</p> : null}
      {rows.isFetching ? <p>Fetching older requests…</p> : null}
      {isAll && feed.count > 0 && rows.problem === null && !rows.isFetching && rows.more === null ? (
        <p>{rows.where}. This is all.</p>
      ) : null}
      {!isAll && feed.count > 0 && search.day === undefined && isWhole ? (
        <p>
          {feed.from === null
            ? 'End of the last 24 h.'
            : `This device sees back to ${formatMoment(feed.from, now)}.`}
        </p>
      ) : null}
    </div>
  );
}

function emptyWords({ all, day }: ActivitySearch): string {
  if (all === true) return 'No request is known.';
  return day === undefined ? 'No request ended in the last 24 h.' : 'No request ended on this day.';
}

function MissingDay({ day }: { readonly day: string }) {
  const connection = useConnection();
  const { days, fetchDay, progress } = useHistoryDays();
  const now = useNow(60_000);
  const [isFetching, setFetching] = useState(false);
  const known = days.find((entry) => entry.day === day);
  const isLive = connection.kind === 'live';

  async function fetch(): Promise<void> {
    changeStorageWishes(({ skippedDays }) => ({ skippedDays: withDay(skippedDays, day, false) }));
    setFetching(true);
    const answer = await fetchDay(day);
    setFetching(false);
    if (!answer.ok) showFailure({ title: `${dayWords(day, now)} was not fetched`, detail: answer.message });
  }

  return (
    <div className={styles.missing}>
      <p>
        {dayWords(day, now)} is not {known?.held === 'part' ? 'wholly ' : ''}on this device.
        {isFetching && progress !== null && !progress.background
          ? ` ${formatBytes(progress.doneBytes)} of ${formatBytes(progress.totalBytes)}.`
          : ''}
      </p>
      <Button
        unavailable={isLive ? null : 'This needs the collector.'}
        disabled={isFetching}
        onClick={() => void fetch()}
      >
        {isLive ? (isFetching ? 'Fetching' : 'Fetch') : 'Fetch when back'}
      </Button>
    </div>
  );
}
