import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useFleet, useModels } from '../../../data/use-fleet.ts';
import type { HistoryHost } from '../../../data/use-fleet-history.ts';
import { useFleetHistory } from '../../../data/use-fleet-history.ts';
import { useNow } from '../../../data/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { formatClock, formatMoment, plural } from '../../../ui/format.ts';
import { Page } from '../../frame/page.tsx';
import { PastActivity } from './past-activity.tsx';
import { PastCard } from './past-card.tsx';
import styles from './past-fleet.module.css';
import type { PastHost } from './past-host.ts';
import { pastHost } from './past-host.ts';
import { heldFrom, nextChanges, pastDay, pastTraffic } from './past-moments.ts';
import { Scrubber } from './scrubber.tsx';

const HOUR_MS = 3_600_000;
/** The address follows the thumb when it rests. */
const SETTLE_MS = 300;
/** Less than this is the error of a measurement, not a clock that is wrong. */
const CLOCK_TOLERANCE_MS = 2_000;
const route = getRouteApi('/');

/** The fleet as it was at a moment, from this device's copy alone; nothing can be done there. */
export function PastFleet({ at: asked }: { readonly at: number }) {
  const navigate = route.useNavigate();
  const { at: _at, ...rest } = route.useSearch();
  const { hosts } = useFleet();
  const models = useModels();
  const now = useNow(60_000);
  const [at, setAt] = useMoment(Math.min(asked, now));
  const day = pastDay(at, now);
  const wanted = hosts.map(({ id, clockOffsetMs }): HistoryHost => {
    const offset = clockOffsetMs ?? 0;
    return { hostId: id, clockOffsetMs: Math.abs(offset) < CLOCK_TOLERANCE_MS ? 0 : offset };
  });
  // An hour before midnight too: the first moment of a day speaks of the hour before it.
  const history = useFleetHistory(wanted, {
    from: day.from - HOUR_MS,
    to: day.to,
    isOpenEnded: day.isToday,
  });
  const modelsByHost = Map.groupBy(models, ({ hostId }) => hostId);
  const past =
    history === null
      ? null
      : hosts.map((host, place) =>
          pastHost(
            {
              host,
              models: modelsByHost.get(host.id) ?? [],
              history: history.get(host.id) ?? null,
              clockOffsetMs: wanted[place]?.clockOffsetMs ?? 0,
            },
            { at, now },
          ),
        );
  const known = [...(history?.values() ?? [])];
  return (
    <Page
      title={`Fleet at ${formatClock(at)}`}
      back={{ to: '/', label: 'Fleet' }}
      summary={past === null ? undefined : summaryOf(past)}
      actions={
        <Button look="ink" onClick={() => void navigate({ search: rest })}>
          Back to now
        </Button>
      }
    >
      <div className={styles.past}>
        <Scrubber
          at={at}
          day={day}
          now={now}
          traffic={pastTraffic(known)}
          heldFrom={heldFrom(known)}
          changes={nextChanges(known, at)}
          onMove={setAt}
        />
        <p className={styles.words}>
          {past === null
            ? 'Reading this device’s copy.'
            : `As it was ${formatMoment(at, now)}, by what is kept on this device. Nothing can be done here.`}
        </p>
        <div className={styles.columns}>
          <div className={styles.cards}>
            {past?.map((host) => (
              <PastCard key={host.id} host={host} />
            ))}
          </div>
          <aside className={styles.aside}>
            <PastActivity at={at} day={day.isToday ? null : day.day} now={now} />
            <Link to="/activity" search={day.isToday ? {} : { day: day.day }} className={styles.link}>
              All activity of that day
            </Link>
          </aside>
        </div>
      </div>
    </Page>
  );
}

function summaryOf(past: readonly PastHost[]): string {
  const ready = past.flatMap(({ models }) => models).filter(({ word }) => word === 'was ready').length;
  const unknown = past.filter(({ unknown: names }) => names.length > 0).length;
  const words = `${plural(past.length, 'host')} · ${plural(ready, 'model')} ${ready === 1 ? 'was' : 'were'} ready`;
  return unknown === 0 ? words : `${words}, not known on ${unknown}`;
}

/** The moment that is shown: at once under the thumb, in the address when it rests, so that it can be shared. */
function useMoment(asked: number): readonly [number, (at: number) => void] {
  const navigate = route.useNavigate();
  const [moved, setMoved] = useState<number | null>(null);
  useEffect(() => {
    if (moved === null) return undefined;
    const timer = setTimeout(() => {
      void navigate({ search: (search) => ({ ...search, at: moved }), replace: true }).then(() =>
        setMoved(null),
      );
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [moved, navigate]);
  return [moved ?? asked, (at) => setMoved(Math.round(at))];
}
