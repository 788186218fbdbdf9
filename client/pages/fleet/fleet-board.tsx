import { getRouteApi } from '@tanstack/react-router';
import { markFailureSeen, useSeenFailures } from '../../data/seen-failures.ts';
import { useActivity } from '../../data/use-activity.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useSession } from '../../data/use-session.ts';
import { Announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { deferred } from '../../ui/deferred.tsx';
import { formatStamp } from '../../ui/format.ts';
import { useGradual } from '../../ui/use-gradual.ts';
import { BREAKPOINTS, useMedia } from '../../ui/use-media.ts';
import { DemoBar } from './demo-bar.tsx';
import { AddHostButton } from '../host-parts/add-host-button.tsx';
import styles from './fleet-board.module.css';
import type { FleetAsideProps } from './fleet-aside.tsx';
import { FleetChips } from './fleet-chips.tsx';
import { matchingHosts } from './fleet-filter.ts';
import type { FleetTableProps } from './fleet-table.tsx';
import type { CollectorHop, HostFacts } from '../host-parts/host-view.ts';
import { hostCard, isTrouble } from '../host-parts/host-view.ts';
import { openModelSheet } from '../intents/model-sheet-state.ts';
import { GoBackButton } from './go-back-button.tsx';
import { HostCard } from './host-card.tsx';
import { lastRequestAt, lastRequestWords } from './last-request.ts';
import type { ModelListProps } from './model-list.tsx';
import type { NeedsYouProps } from './needs-you.tsx';
import { NeedsYou } from './needs-you.tsx';
import type { NeedsYouItem } from './needs-you-view.ts';
import { needsYou } from './needs-you-view.ts';
import { useCardOrder } from './use-card-order.ts';

const FleetTable = deferred<FleetTableProps>(async () => (await import('./fleet-table.tsx')).FleetTable);
const OwnHostCard = deferred<object>(async () => (await import('./own-host-card.tsx')).OwnHostCard);
const ModelList = deferred<ModelListProps>(async () => (await import('./model-list.tsx')).ModelList);
const NeedsYouAll = deferred<NeedsYouProps>(async () => (await import('./needs-you-all.tsx')).NeedsYouAll);
const FleetAside = deferred<FleetAsideProps>(async () => (await import('./fleet-aside.tsx')).FleetAside);
const route = getRouteApi('/');
/** Two columns of cards need this much. */
const TWO_COLUMNS = '(min-width: 900px)';

interface FleetBoardProps {
  readonly fleet: readonly HostFacts[];
  readonly hop: CollectorHop;
  readonly now: number;
  readonly layout: 'cards' | 'table';
}

/** The fleet with hosts: strip, chips, cards or table, and what runs beside them. */
export function FleetBoard({ fleet, hop, now, layout }: FleetBoardProps) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const connection = useConnection();
  const { role } = useSession();
  const feed = useActivity({});
  const isLaptop = useMedia(BREAKPOINTS.laptop);
  const order = useCardOrder(fleet.map(({ host }) => host));
  const matching = new Map(matchingHosts(fleet, search).map((facts) => [facts.host.id, facts]));
  const shown = order.ids.flatMap((id) => matching.get(id) ?? []);
  const seen = useSeenFailures();
  const drawnCount = useGradual(shown.length);
  const last = lastRequestAt(feed);
  const demoCount = fleet.filter(({ host }) => host.demo).length;
  const isPast = hop.kind === 'away' && now - hop.asOf >= 60_000;
  const strip = {
    items: needsYou(fleet, { hop, now, seen }),
    limit: isLaptop ? 4 : 3,
    isPast,
    onSeen: markFailureSeen,
    onOpen: ({ hostId, intentId, failedStart }: NeedsYouItem) => {
      if (failedStart !== undefined) openModelSheet(hostId, failedStart.modelId);
      else if (intentId !== undefined) void navigate({ to: '/outbox', search: { id: intentId } });
      else if (matching.has(hostId)) focusCard(hostId);
      else void navigate({ search: {} }).then(() => focusCard(hostId));
    },
    onShowAll: () => void navigate({ search: { ...search, show: 'trouble' } }),
  };

  return (
    <div className={styles.board}>
      {demoCount === 0 ? null : (
        <DemoBar
          count={demoCount}
          unavailable={
            connection.kind !== 'live'
              ? 'This needs the collector.'
              : role !== 'admin'
                ? 'Only an admin can remove the demo fleet.'
                : null
          }
        />
      )}
      {search.show === 'models' ? null : <NeedsYouAll {...strip} meanwhile={<NeedsYou {...strip} />} />}
      <div className={styles.tools}>
        <FleetChips total={fleet.length} trouble={fleet.filter(isTrouble).length} isLaptop={isLaptop} />
        {order.misplaced === 0 ? null : (
          <Button look="quiet" onClick={order.resort}>
            Re-sort ({order.misplaced})
          </Button>
        )}
        {isLaptop ? null : <GoBackButton look="quiet" />}
        {isPast && hop.kind === 'away' ? (
          <span className={styles.stamp}>as of {formatStamp(hop.asOf, now)}</span>
        ) : null}
      </div>
      <div className={styles.columns}>
        <div className={styles.hosts}>
          {search.show === 'models' ? (
            <ModelList fleet={shown} hop={hop} now={now} />
          ) : layout === 'table' ? (
            <FleetTable fleet={shown} hop={hop} now={now} last={last} />
          ) : (
            <Cards>
              {shown.slice(0, drawnCount).map((facts) => (
                <HostCard
                  key={facts.host.id}
                  view={hostCard(facts, hop, now)}
                  lastRequest={lastRequestWords(last.get(facts.host.id) ?? null, now)}
                />
              ))}
              {demoCount === fleet.length && fleet.length > 0 && search.show === undefined ? (
                <OwnHostCard />
              ) : null}
              {shown.slice(drawnCount).map(({ host }) => (
                <div key={host.id} className={styles.later} />
              ))}
            </Cards>
          )}
          {shown.length === 0 ? (
            <div className={styles.empty}>
              <p>Nothing matches.</p>
              <Button onClick={() => void navigate({ search: {} })}>Clear filters</Button>
            </div>
          ) : null}
          {isLaptop ? null : <AddHostButton look="plain" wide />}
        </div>
        <aside className={styles.aside} aria-label="Running">
          <FleetAside fleet={fleet} hop={hop} />
        </aside>
      </div>
      <Announce
        message={fleet
          .map(({ host }) => `${host.label} ${host.paused ? 'paused' : host.liveness}`)
          .join(', ')}
      />
    </div>
  );
}

/** Cards in one or two columns, dealt in turn: a card that grows pushes only those below it. */
function Cards({ children }: { readonly children: readonly React.ReactNode[] }) {
  const isTwo = useMedia(TWO_COLUMNS);
  const cards = children.flat().filter((card) => card !== null);
  if (!isTwo) return <div className={styles.column}>{cards}</div>;
  return (
    <div className={styles.pair}>
      <div className={styles.column}>{cards.filter((_, index) => index % 2 === 0)}</div>
      <div className={styles.column}>{cards.filter((_, index) => index % 2 === 1)}</div>
    </div>
  );
}

function focusCard(hostId: string): void {
  const card = document.getElementById(`host-${hostId}`);
  card?.scrollIntoView({ block: 'nearest' });
  card?.focus({ preventScroll: true });
}
