import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useActivity } from '../../data/use-activity.ts';
import { useFleet } from '../../data/use-fleet.ts';
import { useHistoryDays } from '../../data/use-history-days.ts';
import { useNow } from '../../data/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { showFailure } from '../../ui/toast.tsx';
import { Page } from '../frame/page.tsx';
import { PhoneFilter } from '../frame/phone-filter.tsx';
import { filterOf, listSearch } from './activity-search.ts';
import { activityCsv } from './csv.ts';
import { FilterBar } from './filter-bar.tsx';
import { heldWords } from './held-words.ts';
import { ActivityList } from './activity-list.tsx';
import styles from './activity-page.module.css';
import { countWords } from './count-words.ts';
import { openText, readOpen } from './open-request.ts';
import { useHeldFeed } from './use-held-feed.ts';

const route = getRouteApi('/activity');

/** Every request of the fleet, newest first; whole days back, from this device. */
export function ActivityPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const feed = useActivity(filterOf(search));
  const { days } = useHistoryDays();
  const { hosts } = useFleet();
  const now = useNow(60_000);
  const [isWriting, setWriting] = useState(false);
  const filterKey = JSON.stringify(listSearch(search));
  const held = useHeldFeed(feed, filterKey);
  const scroller = useRef<HTMLDivElement>(null);
  const toNewest = (): void => {
    held.release();
    scroller.current?.scrollTo({ top: 0 });
  };
  const allDemo = hosts.length > 0 && hosts.every((host) => host.demo);

  async function download(): Promise<void> {
    setWriting(true);
    try {
      const url = URL.createObjectURL(await activityCsv(feed));
      const link = document.createElement('a');
      link.href = url;
      link.download = `drover-activity-${search.day ?? 'last-24h'}.csv`;
      link.click();
      URL.revokeObjectURL(url);
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
      summary={countWords(feed.counts, search.day ?? null)}
      phoneAction={
        <PhoneFilter
          label="model, path, error, source"
          value={search.q ?? ''}
          onChange={(text) => {
            const { q: _q, ...rest } = search;
            void navigate({ search: text === '' ? rest : { ...rest, q: text }, replace: true });
          }}
        />
      }
      actions={
        <>
          <span className={styles.held}>{heldWords(days, feed.from, now)}</span>
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
          days={days}
          isFollowing={!held.isHeld}
          onFollow={(on) => (on ? toNewest() : held.hold())}
        />
        <ActivityList
          key={filterKey}
          held={held}
          scroller={scroller}
          onNewest={toNewest}
          day={search.day ?? null}
          inspected={readOpen(search.open)}
          onInspect={(request) => {
            const rest = listSearch(search);
            void navigate({
              search: request === null ? rest : { ...rest, open: openText(request) },
              replace: true,
            });
          }}
        />
      </div>
    </Page>
  );
}
