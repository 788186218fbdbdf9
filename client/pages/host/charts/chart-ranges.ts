/** How much time charts show, as it stands in the address. */
export const CHART_RANGES = ['1h', '6h', '24h', '7d', '30d'] as const;
/** One of {@link CHART_RANGES}. */
export type ChartRange = (typeof CHART_RANGES)[number];

const HOUR_MS = 3_600_000;

const RANGES: Readonly<Record<ChartRange, { readonly label: string; readonly spanMs: number }>> = {
  '1h': { label: '1 h', spanMs: HOUR_MS },
  '6h': { label: '6 h', spanMs: 6 * HOUR_MS },
  '24h': { label: '24 h', spanMs: 24 * HOUR_MS },
  '7d': { label: '7 d', spanMs: 7 * 24 * HOUR_MS },
  '30d': { label: '30 d', spanMs: 30 * 24 * HOUR_MS },
};

/** The range that is shown when the address names none. */
export const DEFAULT_RANGE: ChartRange = '6h';

/** Reads a range of the address; null for what is none. */
export function parseChartRange(value: unknown): ChartRange | null {
  return CHART_RANGES.find((range) => range === value) ?? null;
}

/** Its length in ms. */
export function rangeSpanMs(range: ChartRange): number {
  return RANGES[range].spanMs;
}

/** `6 h`. */
export function rangeLabel(range: ChartRange): string {
  return RANGES[range].label;
}
