import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useConnection } from '../../data/use-connection.ts';
import { useHistoryDays } from '../../data/use-history-days.ts';
import { useNow } from '../../data/use-now.ts';
import type { ActivityFeed } from '../../data/types.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes, formatMoment } from '../../ui/format.ts';
import { showFailure } from '../../ui/toast.tsx';
import { isFiltered } from './activity-search.ts';
import { dayWords } from './held-words.ts';
import styles from './list-end.module.css';

const route = getRouteApi('/activity');

/** Below the last row: what is not on this device, or that nothing matches. */
export function ListEnd({ feed }: { readonly feed: ActivityFeed }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const now = useNow(60_000);
  const isEmpty = feed.count === 0 && feed.state === 'ready';
  return (
    <div className={styles.end}>
      {feed.missing.days.map((day) => (
        <MissingDay key={day} day={day} />
      ))}
      {isEmpty && isFiltered(search) ? (
        <>
          <p>Nothing matches.</p>
          <Button
            onClick={() => void navigate({ search: search.day === undefined ? {} : { day: search.day } })}
          >
            Clear filters
          </Button>
        </>
      ) : null}
      {isEmpty && !isFiltered(search) && feed.missing.days.length === 0 ? (
        <p>
          {search.day === undefined ? 'No request ended in the last 24 h.' : 'No request ended on this day.'}
        </p>
      ) : null}
      {feed.count > 0 && search.day === undefined && feed.missing.days.length === 0 ? (
        <p>
          {feed.from === null
            ? 'End of the last 24 h.'
            : `This device sees back to ${formatMoment(feed.from, now)}.`}
        </p>
      ) : null}
    </div>
  );
}

function MissingDay({ day }: { readonly day: string }) {
  const connection = useConnection();
  const { days, fetchDay, progress } = useHistoryDays();
  const now = useNow(60_000);
  const [isFetching, setFetching] = useState(false);
  const known = days.find((entry) => entry.day === day);
  const isLive = connection.kind === 'live';

  async function fetch(): Promise<void> {
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
