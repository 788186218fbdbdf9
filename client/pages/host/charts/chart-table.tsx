import { formatCount, formatMoment, formatTime, isSameDay, UNKNOWN } from '../../../ui/format.ts';
import { NumberTable } from '../../../ui/number-table.tsx';
import { chartColumns } from './chart-csv.ts';
import type { ChartView } from './chart-view.ts';
import { wordsAt } from './chart-view.ts';
import styles from './chart-table.module.css';
import type { Stretch } from './zoom.ts';

/** A dialog is no spreadsheet: the CSV has all. */
const MAX_ROWS = 300;

interface ChartTableProps {
  readonly chart: ChartView;
  readonly bounds: Stretch;
}

/** The values of a chart between its bounds, newest first. */
export function ChartTable({ chart, bounds: { from, to } }: ChartTableProps) {
  const columns = chartColumns(chart);
  const shown = chart.times
    .map((at, index) => ({ at, index }))
    .filter(({ at, index }) => at >= from && at <= to && hasValue(chart, index))
    .toReversed();
  const withDay = !isSameDay(from, to);
  return (
    <>
      <NumberTable heads={['Time', ...columns.map(({ label }) => `${label}, ${chart.unit}`)]}>
        {shown.slice(0, MAX_ROWS).map(({ at, index }) => (
          <tr key={at}>
            <th scope="row" className={styles.time}>
              {withDay ? formatMoment(at, to) : formatTime(at)}
            </th>
            {columns.map(({ key, values }) => (
              <td key={key}>{wordsAt(chart, values, index) ?? UNKNOWN}</td>
            ))}
          </tr>
        ))}
      </NumberTable>
      {shown.length > MAX_ROWS ? (
        <p className={styles.more}>
          The newest {MAX_ROWS} of {formatCount(shown.length)}. The CSV has all.
        </p>
      ) : null}
    </>
  );
}

function hasValue({ series }: ChartView, index: number): boolean {
  return series.some(({ values }) => (values[index] ?? null) !== null);
}
