import { Link } from '@tanstack/react-router';
import { UNKNOWN, formatTime } from '../../ui/format.ts';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import { runningRequests } from '../frame/running-view.ts';
import type { CollectorHop, HostFacts } from '../host-parts/host-view.ts';
import { isHeard, nothingRunsWords } from '../host-parts/host-view.ts';
import { RunningRows } from '../intents/running-rows.tsx';
import styles from './host-running.module.css';

interface HostRunningProps {
  readonly facts: HostFacts;
  readonly hop: CollectorHop;
  readonly now: number;
  readonly isPast: boolean;
}

/** Requests that run on the host, longest first; on stale ground none is claimed to. */
export function HostRunning({ facts, hop, now, isPast }: HostRunningProps) {
  const inFlight = isPast || !isHeard(facts.host) ? null : facts.inFlight;
  const at = hop.kind === 'live' ? now : hop.asOf;
  const { requests } = runningRequests(inFlight === null ? [] : [inFlight], at);
  const total = inFlight?.total ?? null;
  return (
    <Panel
      label="Running now"
      title={hop.kind === 'live' || isPast ? 'Running now' : `Running at ${formatTime(hop.asOf)}`}
      note={total ?? UNKNOWN}
      action={
        <Link to="/activity" search={{ host: [facts.host.id] }} className={styles.link}>
          Its activity
        </Link>
      }
    >
      {requests.length > 0 ? (
        <RunningRows requests={requests} />
      ) : (
        <PanelBody>
          <p className={styles.empty}>{nothingRunsWords(facts.host, inFlight, hop)}</p>
        </PanelBody>
      )}
    </Panel>
  );
}
