import type { InFlight } from '#shared/schemas/in-flight.ts';
import { useNow } from '../../data/use-now.ts';
import { DemoMark } from '../../ui/demo-mark.tsx';
import { formatTime, UNKNOWN } from '../../ui/format.ts';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import type { CollectorHop, HostFacts } from '../host-parts/host-view.ts';
import { hostFreshness, isHeard } from '../host-parts/host-view.ts';
import { runningRequests } from '../frame/running-view.ts';
import { RunningRows } from '../intents/running-rows.tsx';
import styles from './running-now.module.css';

interface RunningNowProps {
  readonly fleet: readonly HostFacts[];
  readonly hop: CollectorHop;
}

/** So many are listed; the number in the head counts all. */
const MAX_LISTED = 7;

/** Requests that run on the fleet, longest first; their time goes on by this device's clock while it is connected. */
export function RunningNow({ fleet, hop }: RunningNowProps) {
  const now = useNow(1000);
  const counted = fleet.filter(({ host }) => isHeard(host) && hostFreshness(host, hop, now) !== 'past');
  const inFlight = counted.flatMap((facts): readonly InFlight[] =>
    facts.inFlight === null ? [] : [facts.inFlight],
  );
  const at = hop.kind === 'live' ? now : hop.asOf;
  const view = runningRequests(inFlight, at);
  const isKnown = inFlight.some(({ total }) => total !== null);
  const labels = new Map(fleet.map(({ host }) => [host.id, host.label]));
  const allDemo = fleet.length > 0 && fleet.every(({ host }) => host.demo);
  return (
    <Panel
      title={hop.kind === 'live' ? 'Running now' : `Running at ${formatTime(hop.asOf)}`}
      note={isKnown ? view.total : UNKNOWN}
      action={allDemo ? <DemoMark /> : undefined}
    >
      {view.requests.length === 0 ? (
        <PanelBody>
          <p className={styles.empty}>
            {!isKnown ? 'Not known now.' : view.total === 0 ? 'Nothing runs.' : 'Only a count is known.'}
          </p>
        </PanelBody>
      ) : (
        <RunningRows requests={view.requests} hostLabels={labels} limit={MAX_LISTED} />
      )}
    </Panel>
  );
}
