import type { ChartValues, ChartView } from './chart-view.ts';

/** A column of a chart's table and of its CSV. */
export interface ChartColumn {
  readonly key: string;
  readonly label: string;
  readonly values: ChartValues;
}

/** Each line of a chart, followed by the largest and the 95th percentile where it has them. */
export function chartColumns({ series }: ChartView): readonly ChartColumn[] {
  return series.flatMap(({ key, label, values, max, p95 }) => [
    { key, label, values },
    ...(max === undefined ? [] : [{ key: `${key}:max`, label: `${label} max`, values: max }]),
    ...(p95 === undefined ? [] : [{ key: `${key}:p95`, label: `${label} p95`, values: p95 }]),
  ]);
}

/** A chart's values as CSV, oldest first: a time in ISO 8601 and its columns; unknown is an empty cell. */
export function chartCsv(chart: ChartView): string {
  const columns = chartColumns(chart);
  const heads = columns.map(({ label }) => `${chart.title} ${label} (${chart.unit})`);
  const lines = chart.times.flatMap((at, index) => {
    const values = columns.map(({ values }) => values[index] ?? null);
    // In a gap nothing has a value.
    if (values.every((value) => value === null)) return [];
    return [[new Date(at).toISOString(), ...values.map((value) => (value === null ? '' : exact(value)))]];
  });
  return csvOf([['time', ...heads], ...lines]);
}

/** Lines of cells as CSV. Names come from hosts: a comma in one must not make a column. */
export function csvOf(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => `${cells.map(csvText).join(',')}\r\n`).join('');
}

function exact(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

function csvText(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
