import { useId } from 'react';
import { Button, IconButton } from '../../../ui/button.tsx';
import { formatClock, formatDay, formatTime } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { PastDay, PastTraffic } from './past-moments.ts';
import { otherDay } from './past-moments.ts';
import styles from './scrubber.module.css';

interface ScrubberProps {
  readonly at: number;
  readonly day: PastDay;
  readonly now: number;
  readonly traffic: PastTraffic | null;
  /** Before it this device holds nothing. */
  readonly heldFrom: number | null;
  readonly changes: { readonly before: number | null; readonly after: number | null };
  readonly onMove: (at: number) => void;
}

const MINUTE_MS = 60_000;
const STEP_MS = 5 * MINUTE_MS;

/** A day under the thumb: bars say when how much was served, the arrows step, and jump to where a model changed. */
export function Scrubber({ at, day, now, traffic, heldFrom, changes, onMove }: ScrubberProps) {
  const name = useId();
  const earliest = heldFrom ?? day.from;
  const move = (wanted: number): void =>
    onMove(Math.max(Math.min(earliest, day.from), Math.min(wanted, now)));
  return (
    <section className={styles.scrubber} aria-label="Moment">
      <div className={styles.head}>
        <IconButton
          label="The day before"
          disabled={day.from <= earliest}
          onClick={() => move(otherDay(at, -1))}
        >
          <Icon name="left" />
        </IconButton>
        <label className={styles.day} htmlFor={name}>
          {formatDay(day.from, now)}
        </label>
        <IconButton label="The day after" disabled={day.isToday} onClick={() => move(otherDay(at, 1))}>
          <Icon name="right" />
        </IconButton>
        <output className={styles.time} htmlFor={name}>
          {formatTime(at)}
        </output>
      </div>
      <div className={styles.track}>
        {traffic === null ? null : <Bars day={day} traffic={traffic} heldFrom={heldFrom} />}
        <input
          id={name}
          className={styles.range}
          type="range"
          min={day.from}
          max={day.to}
          step={MINUTE_MS}
          value={at}
          aria-valuetext={`${formatDay(at, now)}, ${formatClock(at)}`}
          onChange={(event) => move(event.target.valueAsNumber)}
        />
      </div>
      <div className={styles.steps}>
        <Button
          unavailable={changes.before === null ? 'No earlier change is on this device.' : null}
          onClick={() => changes.before !== null && move(changes.before)}
        >
          Change before
        </Button>
        <Button onClick={() => move(at - STEP_MS)}>−5 min</Button>
        <Button onClick={() => move(at + STEP_MS)}>+5 min</Button>
        <Button
          unavailable={changes.after === null ? 'No later change is on this device.' : null}
          onClick={() => changes.after !== null && move(changes.after)}
        >
          Change after
        </Button>
      </div>
    </section>
  );
}

/** Ground of the slider: requests by five minutes, failed ones apart, and hatch where this device holds nothing. */
function Bars({
  day,
  traffic,
  heldFrom,
}: Pick<ScrubberProps, 'day' | 'heldFrom'> & { readonly traffic: PastTraffic }) {
  const hatch = useId();
  const span = Math.max(1, day.to - day.from);
  const most = Math.max(1, ...traffic.requests);
  const width = traffic.bucketMs / span;
  const bars = traffic.requests.flatMap((count, place) => {
    const x = (traffic.from + place * traffic.bucketMs - day.from) / span;
    return count === 0 || x < 0 || x > 1 ? [] : [{ x, count, failed: traffic.failed[place] ?? 0 }];
  });
  const missing = heldFrom === null ? 1 : Math.min(1, Math.max(0, (heldFrom - day.from) / span));
  return (
    <svg className={styles.bars} viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      <pattern
        id={hatch}
        width="0.006"
        height="0.2"
        patternUnits="userSpaceOnUse"
        patternTransform="skewX(-20)"
      >
        <rect className={styles.stripe} width="0.002" height="0.2" />
      </pattern>
      {missing === 0 ? null : <rect width={missing} height="1" fill={`url(#${hatch})`} />}
      {bars.map(({ x, count, failed }) => (
        <g key={x}>
          <rect className={styles.bar} x={x} width={width * 0.8} y={1 - count / most} height={count / most} />
          {failed === 0 ? null : (
            <rect
              className={styles.failed}
              x={x}
              width={width * 0.8}
              y={1 - failed / most}
              height={failed / most}
            />
          )}
        </g>
      ))}
    </svg>
  );
}
