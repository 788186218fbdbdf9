import { useId } from 'react';
import styles from './gauge.module.css';
import type { GpuView } from './performance-view.ts';

/** A card's memory: its name, how much of how much, a bar; hatched when it is not live, dashed when not known. */
export function Gauge({ view }: { readonly view: GpuView }) {
  const hatch = useId();
  const { name, number, memory, share, freshness, stamp } = view;
  const isStale = freshness === 'stale';
  return (
    <div className={styles.gauge} data-freshness={freshness} title={stamp ?? undefined}>
      <div className={styles.words}>
        <span className={styles.head}>
          <span className={styles.name}>{name}</span>
          <span className={styles.number}>{number}</span>
          {stamp === null || freshness === 'unknown' ? null : (
            <span className={styles.stamp}> · {stamp}</span>
          )}
        </span>
        <span className={styles.memory}>{memory}</span>
      </div>
      <svg className={styles.bar} aria-hidden="true">
        {isStale ? (
          <pattern
            id={hatch}
            width="5"
            height="5"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect className={styles.stripe} width="2" height="5" />
          </pattern>
        ) : null}
        <rect className={styles.track} x="0.5" y="0.5" width="100%" height="5" rx="2.5" />
        {share === null ? null : (
          <rect
            className={isStale ? undefined : styles.fill}
            width={`${(share * 100).toFixed(1)}%`}
            height="6"
            rx="3"
            fill={isStale ? `url(#${hatch})` : undefined}
          />
        )}
      </svg>
    </div>
  );
}
