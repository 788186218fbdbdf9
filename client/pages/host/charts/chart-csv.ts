import type { ChartView } from './chart-view.ts';

/** A chart's values as CSV, oldest first: a time in ISO 8601 and a column for each line; unknown is an empty cell. */
export function chartCsv({ title, unit, series }: ChartView, times: readonly number[]): string {
  const heads = series.map(({ label }) => csvText(`${title} ${label} (${unit})`));
  const lines = times.flatMap((at, index) => {
    const values = series.map(({ values }) => values[index] ?? null);
    // In a gap nothing has a value.
    if (values.every((value) => value === null)) return [];
    return [[new Date(at).toISOString(), ...values.map((value) => (value === null ? '' : exact(value)))]];
  });
  return [['time', ...heads], ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}

function exact(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** Names of cards come from the host: a comma must not make a column. */
function csvText(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
