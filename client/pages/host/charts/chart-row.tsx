import { IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { UNKNOWN } from '../../../ui/format.ts';
import type { ChartColors } from './chart-colors.ts';
import { dashOf } from './chart-colors.ts';
import { chartData, chartLook } from './chart-look.ts';
import styles from './chart-row.module.css';
import type { ChartSeries, ChartView } from './chart-view.ts';
import { chartName, placeAt, wordsAt } from './chart-view.ts';
import { ChartStrip } from './chart-strip.tsx';
import type { StripProps } from './chart-strip.tsx';
import { chartNote } from './chart-words.ts';
import type { Stretch } from './zoom.ts';

/** What a chart's row shows, and what it can do. */
export interface ChartRowProps extends Pick<StripProps, 'held' | 'listener' | 'onKey' | 'syncKey'> {
  readonly chart: ChartView;
  readonly bounds: Stretch;
  readonly colors: ChartColors;
  /** The moment whose values stand at the left; null: none is known. */
  readonly at: number | null;
  readonly onTable: () => void;
  readonly onCsv: () => void;
}

/** A chart with its title, the values under the cursor, and its table and CSV. */
export function ChartRow({ chart, bounds, colors, at, onTable, onCsv, ...strip }: ChartRowProps) {
  const place = at === null ? null : placeAt(chart, at);
  return (
    <section className={styles.row} aria-label={chart.title}>
      <div className={styles.side}>
        <h3 className={styles.title}>{chartName(chart)}</h3>
        <dl className={styles.values}>
          {chart.series.map((series, index) => (
            <div key={series.key} className={styles.value}>
              <dt className={styles.label}>
                <Mark chart={chart} index={index} />
                {series.label}
              </dt>
              <dd className={styles.number} title={peakWords(chart, series, place)}>
                {wordsAt(chart, series.values, place) ?? UNKNOWN}
                <Peak chart={chart} series={series} place={place} />
              </dd>
            </div>
          ))}
        </dl>
        <RowTools title={chart.title} onTable={onTable} onCsv={onCsv} />
      </div>
      <ChartStrip
        {...strip}
        label={`${chartName(chart)}, ${chartNote(bounds)}`}
        look={chartLook(chart, colors)}
        data={chartData(chart, bounds, colors)}
        colors={colors}
        onTable={onTable}
      />
    </section>
  );
}

interface RowToolsProps {
  readonly title: string;
  readonly onTable: () => void;
  readonly onCsv: () => void;
}

/** Table and CSV of a row. */
export function RowTools({ title, onTable, onCsv }: RowToolsProps) {
  return (
    <div className={styles.tools}>
      <IconButton label={`${title} as a table`} onClick={onTable}>
        <Icon name="table" />
      </IconButton>
      <IconButton label={`${title} as CSV`} onClick={onCsv}>
        <Icon name="download" />
      </IconButton>
    </div>
  );
}

/** How a series is drawn, beside its name. */
function Mark({ chart: { kind }, index }: { readonly chart: ChartView; readonly index: number }) {
  if (kind === 'bars')
    return (
      <svg className={styles.mark} data-mark={index === 0 ? 'bar' : 'failed'} aria-hidden="true">
        {index === 0 ? <rect x="4" width="8" height="8" /> : <path d="M5 1l6 6M5 7l6-6" />}
      </svg>
    );
  return (
    <svg className={styles.mark} data-series={index % 6} aria-hidden="true">
      <line x1="0" x2="16" y1="4" y2="4" strokeDasharray={dashOf(index).join(' ') || undefined} />
    </svg>
  );
}

interface PeakProps {
  readonly chart: ChartView;
  readonly series: ChartSeries;
  readonly place: number | null;
}

/** The largest of what a value is the average of. */
function Peak({ chart, series, place }: PeakProps) {
  const max = series.max === undefined ? null : wordsAt(chart, series.max, place);
  return max === null || max === wordsAt(chart, series.values, place) ? null : (
    <span className={styles.peak}>max {max}</span>
  );
}

function peakWords(chart: ChartView, { max, p95 }: ChartSeries, place: number | null): string | undefined {
  const parts = [
    ['largest', max],
    ['95 % of the time at most', p95],
  ] as const;
  const known = parts.flatMap(([words, values]) => {
    const value = values === undefined ? null : wordsAt(chart, values, place);
    return value === null ? [] : [`${words} ${value} ${chart.unit}`];
  });
  return known.length === 0 ? undefined : known.join(', ');
}
