import { useState } from 'react';
import { useConnection } from '../../data/use-connection.ts';
import { useFleet } from '../../data/use-fleet.ts';
import { useAllInFlight } from '../../data/use-live.ts';
import { useNow } from '../../data/use-now.ts';
import { deferred } from '../../ui/deferred.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatElapsed } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { runningRequests } from '../frame/running-view.ts';
import type { RunningRowsProps } from '../intents/running-rows.tsx';
import styles from './running-row.module.css';

const RunningRows = deferred<RunningRowsProps>(
  async () => (await import('../intents/running-rows.tsx')).RunningRows,
);

interface RunningRowProps {
  /** How many rows there are, in words. */
  readonly counts: string;
  /** How far back the rows go, in few words. */
  readonly where: string;
}

/** What runs now, above everything that ended; on a phone also how many rows there are and how far back they go. */
export function RunningRow({ counts, where }: RunningRowProps) {
  const [isOpen, setOpen] = useState(false);
  const connection = useConnection();
  const { hosts } = useFleet();
  const inFlight = useAllInFlight();
  const now = useNow(1000);
  const isLive = connection.kind === 'live';
  const running = isLive ? runningRequests(inFlight, now) : null;
  const [longest] = running?.requests ?? [];
  const labels = new Map(hosts.map((host) => [host.id, host.label]));
  return (
    <div className={styles.top}>
      {running === null || running.total === 0 ? null : (
        <button type="button" className={styles.running} onClick={() => setOpen(true)}>
          <Glyph name="running" hue="busy" />
          <span className={styles.title}>{running.total} running now</span>
          {longest === undefined || longest.elapsedMs === null ? null : (
            <span className={styles.longest}>
              longest {formatElapsed(longest.elapsedMs)}
              <span className={styles.which}>
                , {longest.modelId} on {labels.get(longest.hostId) ?? longest.hostId}
              </span>
            </span>
          )}
          <span className={styles.chevron}>
            <Icon name="right" size="s" />
          </span>
        </button>
      )}
      <p className={styles.line}>
        <span>{counts}</span>
        <span>{where}</span>
      </p>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Running now">
        <RunningRows requests={running?.requests ?? []} hostLabels={labels} />
      </Dialog>
    </div>
  );
}
