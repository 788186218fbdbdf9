import type { ChartGap } from './time-axis.ts';

/** What stands at each moment of a chart; null where nothing is known. */
export type ChartValues = readonly (number | null)[];

/** A line or the bars of a chart. Where a value stands for many samples, their largest and 95th percentile stand beside it. */
export interface ChartSeries {
  readonly key: string;
  readonly label: string;
  readonly values: ChartValues;
  readonly max?: ChartValues;
  readonly p95?: ChartValues;
}

/** A chart: what is measured, in which unit, by one line or several, at which moments. */
export interface ChartView {
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  readonly digits: number;
  /** `bars` begin at their moment and last until the next; of several the later lie on the earlier. */
  readonly kind: 'lines' | 'area' | 'bars';
  /** Ascending; in each gap one more, at which nothing has a value. */
  readonly times: readonly number[];
  /** Stretches of which nothing is known. */
  readonly gaps: readonly ChartGap[];
  readonly series: readonly ChartSeries[];
  /** Top of its axis, where that is known: 100 %. */
  readonly top: number | null;
  /** What cannot be passed, as a line of its own: `24 GiB each`. */
  readonly limit: { readonly value: number; readonly label: string } | null;
}

/** `VRAM, GiB`, `Requests per 6 min`. */
export function chartName({ title, unit }: Pick<ChartView, 'title' | 'unit'>): string {
  return unit.startsWith('per ') ? `${title} ${unit}` : `${title}, ${unit}`;
}

/** What a chart shows at a place of its axis, as its unit is written; null: it shows nothing there. */
export function wordsAt(
  { digits }: Pick<ChartView, 'digits'>,
  values: ChartValues,
  index: number | null,
): string | null {
  const value = index === null ? null : (values[index] ?? null);
  return value === null ? null : value.toFixed(digits);
}

/** The place of a chart that a moment is about: the bar over it, else the nearest; null between samples that lie a gap apart. */
export function placeAt({ kind, times, gaps }: ChartView, at: number): number | null {
  // Bars and areas stand at every step, also in a gap: there they say themselves what is known.
  if (kind === 'lines' && gaps.some(({ from, to }) => at > from && at < to)) return null;
  const after = firstAfter(times, at);
  const before = after - 1;
  if (kind === 'bars') return before >= 0 ? before : null;
  const [low, high] = [times[before], times[after]];
  if (low === undefined) return high === undefined ? null : after;
  return high === undefined || at - low <= high - at ? before : after;
}

/** The last moment at which a chart knows anything; null: never. */
export function lastKnownAt({ times, series }: ChartView): number | null {
  for (let index = times.length - 1; index >= 0; index -= 1)
    if (series.some(({ values }) => (values[index] ?? null) !== null)) return times[index] ?? null;
  return null;
}

/** Index of the first moment after `at`. */
function firstAfter(times: readonly number[], at: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
