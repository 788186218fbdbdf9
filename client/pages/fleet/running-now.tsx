import type { InFlight } from '#shared/schemas/in-flight.ts';
import { useNow } from '../../data/use-now.ts';
import { DemoMark } from '../../ui/demo-mark.tsx';
import { formatElapsed, formatTime, UNKNOWN } from '../../ui/format.ts';
import { ListRow, RowList } from '../../ui/list-row.tsx';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import type { CollectorHop, HostFacts } from './fleet-view.ts';
import { hostFreshness, isHeard } from './fleet-view.ts';
import { runningRequests } from '../frame/running-view.ts';
import styles from './running-now.module.css';

interface RunningNowProps {
  readonly fleet: readonly HostFacts[];
  readonly hop: CollectorHop;
}

/** So many are listed; the number in the head counts all. */
const MAX_LISTED = 12;

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
        <RowList>
          {view.requests.slice(0, MAX_LISTED).map((request) => (
            <li key={`${request.hostId} ${request.id}`}>
              <ListRow
                title={request.modelId}
                detail={`${labels.get(request.hostId) ?? request.hostId} · ${request.source ?? 'source unknown'}`}
                value={
                  <span className={styles.elapsed}>
                    {request.elapsedMs === null ? UNKNOWN : formatElapsed(request.elapsedMs)}
                  </span>
                }
              />
            </li>
          ))}
          {view.requests.length <= MAX_LISTED ? null : (
            <li>
              <ListRow title={`${view.requests.length - MAX_LISTED} more`} />
            </li>
          )}
        </RowList>
      )}
    </Panel>
  );
}
