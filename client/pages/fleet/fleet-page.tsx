import { getRouteApi } from '@tanstack/react-router';
import { isSecure } from '../../data/environment.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useFleet } from '../../data/use-fleet.ts';
import { useNow } from '../../data/use-now.ts';
import { deferred } from '../../ui/deferred.tsx';
import { usePreferences } from '../../ui/use-preferences.ts';
import { BREAKPOINTS, useMedia } from '../../ui/use-media.ts';
import { Page } from '../frame/page.tsx';
import { FleetActions, FleetPhoneFilter } from './fleet-actions.tsx';
import { FleetBoard } from './fleet-board.tsx';
import { fleetSummary } from './fleet-summary.ts';
import { collectorHop } from '../host-parts/host-view.ts';
import { useFleetFacts } from '../host-parts/use-fleet-facts.ts';

const InsecureCard = deferred<object>(async () => (await import('./insecure-card.tsx')).InsecureCard);
const PastFleet = deferred<{ readonly at: number }>(
  async () => (await import('./past/past-fleet.tsx')).PastFleet,
);
const FirstRun = deferred<object>(async () => (await import('./first-run.tsx')).FirstRun);
/** Past so many hosts a laptop starts with the table. */
const TABLE_PAST = 12;
const route = getRouteApi('/');

/** The fleet: what needs somebody first, then a card or a row for each host. */
export function FleetPage() {
  const { at } = route.useSearch();
  return at === undefined ? <FleetNow /> : <PastFleet at={at} />;
}

function FleetNow() {
  const search = route.useSearch();
  const { loaded } = useFleet();
  const fleet = useFleetFacts();
  const connection = useConnection();
  const now = useNow(1000);
  const { fleetLayout } = usePreferences();
  const isLaptop = useMedia(BREAKPOINTS.laptop);
  const hop = collectorHop(connection, now);
  const isEmpty = loaded && fleet.length === 0;
  const allDemo = fleet.length > 0 && fleet.every(({ host }) => host.demo);
  const chosen = search.layout ?? fleetLayout ?? (fleet.length > TABLE_PAST ? 'table' : 'cards');
  const layout = isLaptop ? chosen : 'cards';
  return (
    <Page
      title="Fleet"
      demo={allDemo}
      summary={loaded ? fleetSummary(fleet, hop, now) : undefined}
      actions={isEmpty || !loaded ? undefined : <FleetActions layout={layout} />}
      phoneAction={isEmpty || !loaded ? undefined : <FleetPhoneFilter />}
    >
      {isSecure ? null : <InsecureCard />}
      {!loaded ? null : isEmpty ? (
        <FirstRun />
      ) : (
        <FleetBoard fleet={fleet} hop={hop} now={now} layout={layout} />
      )}
    </Page>
  );
}
