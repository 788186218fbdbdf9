import { parseChartRange } from './charts/chart-ranges.ts';
import type { ChartRange } from './charts/chart-ranges.ts';

/** Parts of the page that have an address; `overview` is both halves beside each other. */
const TABS = ['now', 'history', 'models'] as const;
/** See {@link shownTab}. */
export type HostTab = (typeof TABS)[number] | 'overview';

/** What of a host is shown; stands in the address. */
export interface HostSearch {
  /** Left out: what the width of the screen begins with. */
  readonly tab?: (typeof TABS)[number];
  /** Part of a model's id. */
  readonly q?: string;
  /** How much time the charts show. */
  readonly range?: ChartRange;
}

/** Reads the address; what it does not know is left out. */
export function parseHostSearch({ tab, q, range }: Record<string, unknown>): HostSearch {
  const known = TABS.find((one) => one === tab);
  const shown = parseChartRange(range);
  return {
    ...(known === undefined ? {} : { tab: known }),
    ...(typeof q === 'string' && q !== '' ? { q: q.slice(0, 200) } : {}),
    ...(shown === null ? {} : { range: shown }),
  };
}

/**
 * What an address means on this screen: one that was sent from a laptop opens on a phone too. A wide screen has charts and
 * the present beside each other, a narrow one one of them; an address with a range is about the charts.
 */
export function shownTab({ tab, q, range }: HostSearch, isWide: boolean): HostTab {
  if (isWide) return tab === 'models' || (tab === undefined && q !== undefined) ? 'models' : 'overview';
  if (tab !== undefined) return tab === 'history' ? 'history' : 'now';
  return range !== undefined && q === undefined ? 'history' : 'now';
}
