import { parseChartRange } from './charts/chart-ranges.ts';
import type { ChartRange } from './charts/chart-ranges.ts';

/** What of a host is shown; stands in the address. */
export interface HostSearch {
  /** Part of a model's id. */
  readonly q?: string;
  /** How much time the charts show. */
  readonly range?: ChartRange;
}

/** Reads the address; what it does not know is left out. */
export function parseHostSearch({ q, range }: Record<string, unknown>): HostSearch {
  const shown = parseChartRange(range);
  return {
    ...(typeof q === 'string' && q !== '' ? { q: q.slice(0, 200) } : {}),
    ...(shown === null ? {} : { range: shown }),
  };
}
