import { getRouteApi } from '@tanstack/react-router';
import { useDeferredValue, useRef, useState } from 'react';
import { useFleet } from '../../data/use-fleet.ts';
import { useHistoryDays } from '../../data/use-history-days.ts';
import { useNow } from '../../data/use-now.ts';
import { fetchWholeHistory } from '../../data/use-whole-history.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { saveText } from '../../ui/save-text.ts';
import { showFailure, showToast } from '../../ui/toast.tsx';
import { formatCount } from '../../ui/format.ts';
import { Page } from '../frame/page.tsx';
import { PhoneFilter } from '../frame/phone-filter.tsx';
import { listSearch } from './activity-search.ts';
import { activityCsv } from './csv.ts';
import { FilterBar } from './filter-bar.tsx';
import { dayWords } from './held-words.ts';
import { ActivityList } from './activity-list.tsx';
import styles from './activity-page.module.css';
import { countWords } from './count-words.ts';
import { openText, readOpen } from './open-request.ts';
import { useActivityRows } from './use-activity-rows.ts';

const route = getRouteApi('/activity');
/** Rows of the whole history that go into one file: what a browser and a spreadsheet can take. */
const MAX_CSV_ROWS = 50_000;

/** Every request of the fleet, newest first: live, whole days back from this device, or all that is kept. */
export function ActivityPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useActivityRows(search, scroller);
  // Drawing rows takes longer than a frame of a slow phone: a tap on a filter is answered first, the rows follow in pieces.
  const shown = useDeferredValue({ search, rows }, null);
  const { feed, held } = rows;
  const { days } = useHistoryDays();
  const { hosts } = useFleet();
  const now = useNow(60_000);
  const [isWriting, setWriting] = useState(false);
  const allDemo = hosts.length > 0 && hosts.every((host) => host.demo);
  const span = search.all === true ? 'all' : (search.day ?? 'last-24h');

  async function download(): Promise<void> {
    setWriting(true);
    try {
      const found =
        rows.answeredBy === 'collector' ? await fetchWholeHistory(rows.filter, MAX_CSV_ROWS) : null;
      const source =
        found === null ? feed : { count: found.rows.length, rowAt: (at: number) => found.rows[at] };
      saveText(`drover-activity-${span}.csv`, await activityCsv(source));
      if (found?.isCut === true) {
        showToast({
          title: `The newest ${formatCount(found.rows.length)} requests were written`,
          detail: 'There are more: filter them, or take them day by day.',
        });
      }
    } catch (error) {
      showFailure({ title: 'The CSV was not written', detail: String(error) });
    }
    setWriting(false);
  }

  return (
    <Page
      title="Activity"
      layout="fill"
      demo={allDemo}
      summary={`${span === 'last-24h' ? 'last 24 h ' : ''}${countWords(feed, rows.countsProblem)}`}
      phoneAction={
        <PhoneFilter
          label="model, path, error, source"
          value={search.q ?? ''}
          onChange={(text) => {
            const { q: _q, view: _view, ...rest } = search;
            void navigate({ search: text === '' ? rest : { ...rest, q: text }, replace: true });
          }}
        />
      }
      actions={
        <>
          <span className={styles.held}>{rows.where}</span>
          <Button disabled={isWriting || feed.count === 0} onClick={() => void download()}>
            <Icon name="download" size="s" />
            CSV
          </Button>
        </>
      }
    >
      <div className={styles.page}>
        <FilterBar
          feed={feed}
          countsProblem={rows.countsProblem}
          days={days}
          timeWords={
            search.all === true
              ? rows.where
              : search.day === undefined
                ? 'Last 24 h'
                : dayWords(search.day, now)
          }
          isFollowing={!held.isHeld}
          onFollow={(on) => (on ? rows.toNewest() : held.hold())}
        />
        {shown === null ? null : (
          <ActivityList
            key={JSON.stringify(listSearch(shown.search))}
            rows={shown.rows}
            scroller={scroller}
            day={shown.search.day ?? null}
            inspected={readOpen(shown.search.open)}
            onInspect={(request) => {
              const rest = listSearch(shown.search);
              void navigate({
                search: request === null ? rest : { ...rest, open: openText(request) },
                replace: true,
              });
            }}
          />
        )}
      </div>
    </Page>
  );
}
