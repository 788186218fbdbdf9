import { useConnection } from '../../data/use-connection.ts';
import { useHost } from '../../data/use-fleet.ts';
import { RATE_SPAN_MS, useFleetRates } from '../../data/use-fleet-rates.ts';
import { useLive } from '../../data/use-live.ts';
import type { Freshness } from '../host-parts/host-view.ts';
import { isHeard } from '../host-parts/host-view.ts';
import styles from './host-rate.module.css';
import { rateView } from './rate-view.ts';

/** See {@link HostRate}. */
export interface HostRateProps {
  readonly hostId: string;
  readonly freshness: Freshness;
}

const WIDTH = 64;
const HEIGHT = 20;
const PAD = 3;
const xOf = (share: number): number => Math.round((PAD + share * (WIDTH - 2 * PAD)) * 10) / 10;
const yOf = (share: number): number => Math.round((HEIGHT - PAD - share * (HEIGHT - 2 * PAD)) * 10) / 10;

/** How fast a host generated over the last half hour, and does now. */
export function HostRate({ hostId, freshness }: HostRateProps) {
  const rates = useFleetRates();
  const host = useHost(hostId);
  const { inFlight } = useLive(hostId);
  const { kind, dataAsOf } = useConnection();
  const held = rates?.byHost.get(hostId);
  if (rates === null || held === undefined || host === null) return null;
  const heardAt = kind === 'live' ? rates.now : (dataAsOf ?? 0);
  const view = rateView({
    held,
    spanMs: RATE_SPAN_MS,
    now: rates.now,
    knownUntil: isHeard(host) ? heardAt : Math.min(heardAt, host.lastSeenAt ?? 0),
    isLive: freshness === 'live',
    running: inFlight?.total ?? null,
  });
  if (view === null) return null;
  return (
    <span
      className={styles.rate}
      data-past={freshness === 'past'}
      title="Tokens generated per second: the line is the last 30 min, the number the last one. Requests count when they have ended."
    >
      <svg className={styles.spark} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <line className={styles.base} x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        {view.lines.map((line) => (
          <polyline
            key={line[0]?.x}
            className={styles.line}
            points={line.map(({ x, y }) => `${xOf(x)},${yOf(y)}`).join(' ')}
          />
        ))}
        {view.dot === null ? null : (
          <circle className={styles.dot} cx={xOf(view.dot.x)} cy={yOf(view.dot.y)} r="2" />
        )}
      </svg>
      <span className={styles.words}>{view.words}</span>
    </span>
  );
}
