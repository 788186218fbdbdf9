import { formatCount, formatTime, isSameDay, formatMoment, UNKNOWN } from '../../../ui/format.ts';
import { valueAt } from './chart-view.ts';
import type { PlotData } from './plot.ts';
import styles from './chart-table.module.css';

/** A dialog is no spreadsheet: the CSV has all. */
const MAX_ROWS = 300;

/** The values of a chart between its bounds, newest first. */
export function ChartTable({ data }: { readonly data: PlotData }) {
  const { chart, times, from, to } = data;
  const shown = times
    .map((at, index) => ({ at, index }))
    .filter(({ at, index }) => at >= from && at <= to && hasValue(data, index))
    .toReversed();
  const withDay = !isSameDay(from, to);
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {chart.series.map(({ key, label }) => (
              <th key={key} scope="col" className={styles.number}>
                {label}, {chart.unit}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, MAX_ROWS).map(({ at, index }) => (
            <tr key={at}>
              <th scope="row" className={styles.time}>
                {withDay ? formatMoment(at, to) : formatTime(at)}
              </th>
              {chart.series.map((series) => (
                <td key={series.key} className={styles.number}>
                  {valueAt(chart, series, index) ?? UNKNOWN}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length > MAX_ROWS ? (
        <p className={styles.more}>
          The newest {MAX_ROWS} of {formatCount(shown.length)}. The CSV has all.
        </p>
      ) : null}
    </>
  );
}

function hasValue({ chart }: PlotData, index: number): boolean {
  return chart.series.some(({ values }) => (values[index] ?? null) !== null);
}
