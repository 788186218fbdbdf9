/** What of the fleet is shown; stands in the address, so that it can be shared and survives a reload. */
export interface FleetSearch {
  readonly show?: 'trouble' | 'models';
  /** Part of a host's name or of a model's id. */
  readonly q?: string;
  readonly layout?: 'cards' | 'table';
  /** The fleet as it was at this moment of the collector's clock; left out: as it is. */
  readonly at?: number;
}

/** Reads the address; what it does not know is left out. */
export function parseFleetSearch(search: Record<string, unknown>): FleetSearch {
  const { show, q, layout, at } = search;
  return {
    ...(show === 'trouble' || show === 'models' ? { show } : {}),
    ...(typeof q === 'string' && q !== '' ? { q: q.slice(0, 200) } : {}),
    ...(typeof at === 'number' && Number.isSafeInteger(at) && at > 0 ? { at } : {}),
    ...(layout === 'cards' || layout === 'table' ? { layout } : {}),
  };
}
