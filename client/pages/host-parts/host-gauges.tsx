import { useConnection } from '../../data/use-connection.ts';
import { useHost } from '../../data/use-fleet.ts';
import { useNow } from '../../data/use-now.ts';
import { usePerformance } from '../../data/use-performance.ts';
import { plural } from '../../ui/format.ts';
import { Gauge } from './gauge.tsx';
import styles from './host-gauges.module.css';
import { performanceView } from './performance-view.ts';

/** See {@link HostGauges}. */
export interface HostGaugesProps {
  readonly hostId: string;
  /** The card speaks of the past. */
  readonly isPast: boolean;
}

/** A card is no page: whoever has more looks at the host. */
const MAX_GAUGES = 8;

/** Memory of each of a host's cards, or why it is not known. */
export function HostGauges({ hostId, isPast }: HostGaugesProps) {
  const host = useHost(hostId);
  const performance = usePerformance(hostId);
  const isAway = useConnection().kind !== 'live';
  const now = useNow(5000);
  if (host === null) return null;
  const { gpus, note } = performanceView({ host, performance, isPast, isAway, now });
  if (gpus.length === 0) return note === null ? null : <p className={styles.note}>{note}</p>;
  const more = gpus.length - MAX_GAUGES;
  return (
    <div className={styles.gauges} data-many={gpus.length > 1}>
      {gpus.slice(0, MAX_GAUGES).map((view) => (
        <Gauge key={view.key} view={view} />
      ))}
      {more > 0 ? <p className={styles.note}>and {plural(more, 'more card')}</p> : null}
    </div>
  );
}
