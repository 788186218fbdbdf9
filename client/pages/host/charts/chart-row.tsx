/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions -- keys work a chart as a pointer does; its values stand beside it as text */
import { useRef } from 'react';
import { formatClock, UNKNOWN } from '../../../ui/format.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { valueAt } from './chart-view.ts';
import styles from './chart-row.module.css';
import { dashOf } from './plot.ts';
import type { PlotWish } from './use-plot.ts';
import { usePlot } from './use-plot.ts';

/** What a chart's row shows, and what it can do. */
export interface ChartRowProps extends PlotWish {
  /** The moment whose values stand at the left. */
  readonly index: number | null;
  readonly onKey: (key: string) => boolean;
  readonly onTable: () => void;
  readonly onCsv: () => void;
}

/** A chart with its title, the values under the cursor, and its table and CSV. */
export function ChartRow(props: ChartRowProps) {
  const { data, index, onKey, onTable, onCsv } = props;
  const { chart, from, to } = data;
  const element = useRef<HTMLDivElement>(null);
  usePlot(element, props);
  return (
    <section className={styles.row} aria-label={chart.title}>
      <div className={styles.side}>
        <h3 className={styles.title}>
          {chart.title}, {chart.unit}
        </h3>
        <dl className={styles.values}>
          {chart.series.map((series, place) => (
            <div key={series.key} className={styles.value}>
              <dt className={styles.label}>
                <svg className={styles.line} data-series={place % 6} aria-hidden="true">
                  <line x1="0" x2="16" y1="4" y2="4" strokeDasharray={dashOf(place).join(' ') || undefined} />
                </svg>
                {series.label}
              </dt>
              <dd className={styles.number}>{valueAt(chart, series, index) ?? UNKNOWN}</dd>
            </div>
          ))}
        </dl>
        <div className={styles.tools}>
          <IconButton label={`${chart.title} as a table`} onClick={onTable}>
            <Icon name="table" />
          </IconButton>
          <IconButton label={`${chart.title} as CSV`} onClick={onCsv}>
            <Icon name="download" />
          </IconButton>
        </div>
      </div>
      <div
        ref={element}
        className={styles.plot}
        role="group"
        aria-roledescription="chart"
        aria-label={`${chart.title} in ${chart.unit}, ${formatClock(from)} to ${formatClock(to)}. Arrows move the cursor, plus and minus zoom, t opens the table.`}
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
    </section>
  );
}
