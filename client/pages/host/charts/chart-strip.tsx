/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions -- keys work a chart as a pointer does; its values stand beside it as text */
import { useRef } from 'react';
import styles from './chart-row.module.css';
import type { PlotWish } from './use-plot.ts';
import { usePlot } from './use-plot.ts';

/** See {@link ChartStrip}. */
export interface StripProps extends PlotWish {
  readonly label: string;
  /** True when the key did something. */
  readonly onKey: (key: string) => boolean;
  readonly onTable: () => void;
}

/** A plot that keys work as a pointer does. */
export function ChartStrip({ label, onKey, onTable, ...wish }: StripProps) {
  const element = useRef<HTMLDivElement>(null);
  usePlot(element, wish);
  return (
    <div
      ref={element}
      className={styles.plot}
      style={{ minHeight: wish.look.height }}
      role="group"
      aria-roledescription="chart"
      aria-label={label}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === 't') onTable();
        else if (!onKey(event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key))
          return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}

/** The times under all charts. */
export function TimeStrip(wish: PlotWish) {
  const element = useRef<HTMLDivElement>(null);
  usePlot(element, wish);
  return <div ref={element} className={styles.times} aria-hidden="true" />;
}
