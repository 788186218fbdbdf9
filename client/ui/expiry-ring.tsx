import { formatElapsed } from './format.ts';
import styles from './expiry-ring.module.css';

interface ExpiryRingProps {
  readonly leftMs: number;
  readonly wholeMs: number;
  /** Under the ring; left out: how much is left. */
  readonly words?: string;
  /** `warn`: it ends soon. `past`: nobody can say that it still counts. */
  readonly tone?: 'plain' | 'warn' | 'past';
  /** `line`: small, beside its words, for rows of a laptop. */
  readonly look?: 'stacked' | 'line';
}

/** How much longer something holds: a ring that empties, and the minutes in words. */
export function ExpiryRing({ leftMs, wholeMs, words, tone = 'plain', look = 'stacked' }: ExpiryRingProps) {
  const share = Math.min(1, Math.max(0, leftMs / wholeMs)) * 100;
  return (
    <span className={styles.expiry} data-tone={tone} data-look={look}>
      <svg className={styles.ring} viewBox="0 0 32 32" aria-hidden="true">
        <circle className={styles.track} cx="16" cy="16" r="14" />
        <circle
          className={styles.left}
          cx="16"
          cy="16"
          r="14"
          pathLength={100}
          strokeDasharray={`${share} 100`}
          transform="rotate(-90 16 16)"
        />
      </svg>
      <span className={styles.words}>{words ?? `${formatElapsed(leftMs)} left`}</span>
    </span>
  );
}
