import { IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import styles from './chart-head.module.css';
import type { ChartRange } from './chart-ranges.ts';
import { CHART_RANGES, rangeLabel } from './chart-ranges.ts';

const OPTIONS = CHART_RANGES.map((value) => ({ value, label: rangeLabel(value) }));

interface ChartHeadProps {
  readonly range: ChartRange;
  readonly onRange: (range: ChartRange) => void;
  /** `08:11 to 14:11`; null before anything is known. */
  readonly span: string | null;
  /** `cursor 12:44`. */
  readonly cursor: string | null;
  /** Why stretches are hatched; null: none is. */
  readonly legend: string | null;
  readonly isZoomed: boolean;
  readonly onReset: () => void;
  /** Share of what is shown, earlier below 0. */
  readonly onPan: (share: number) => void;
  readonly onZoom: (factor: number) => void;
}

/** Over the charts: how much time, which part of it, and the ways to move in it that need no mouse. */
export function ChartHead(props: ChartHeadProps) {
  const { range, onRange, span, cursor, legend, isZoomed, onReset, onPan, onZoom } = props;
  return (
    <div className={styles.head}>
      <div className={styles.range}>
        <Segmented label="Time shown" value={range} options={OPTIONS} onChange={onRange} wide />
      </div>
      {span === null ? null : (
        <p className={styles.facts}>
          <span>{span}</span>
          {cursor === null ? null : <span>{cursor}</span>}
        </p>
      )}
      <div className={styles.moves}>
        {isZoomed ? (
          <button type="button" className={styles.reset} onClick={onReset}>
            Show all of it
          </button>
        ) : null}
        <IconButton label="Earlier" onClick={() => onPan(-0.5)}>
          <Icon name="left" />
        </IconButton>
        <IconButton label="Later" onClick={() => onPan(0.5)}>
          <Icon name="right" />
        </IconButton>
        <IconButton label="Zoom out" onClick={() => onZoom(2)}>
          <Icon name="minus" />
        </IconButton>
        <IconButton label="Zoom in" onClick={() => onZoom(0.5)}>
          <Icon name="plus" />
        </IconButton>
      </div>
      {legend === null ? null : (
        <p className={styles.legend}>
          <span className={styles.hatch} aria-hidden="true" />
          {legend}
        </p>
      )}
    </div>
  );
}
