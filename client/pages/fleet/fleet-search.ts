/** What of the fleet is shown; stands in the address, so that it can be shared and survives a reload. */
export interface FleetSearch {
  readonly show?: 'trouble' | 'models';
  /** Part of a host's name or of a model's id. */
  readonly q?: string;
  readonly layout?: 'cards' | 'table';
}

/** Reads the address; what it does not know is left out. */
export function parseFleetSearch(search: Record<string, unknown>): FleetSearch {
  const { show, q, layout } = search;
  return {
    ...(show === 'trouble' || show === 'models' ? { show } : {}),
    ...(typeof q === 'string' && q !== '' ? { q: q.slice(0, 200) } : {}),
    ...(layout === 'cards' || layout === 'table' ? { layout } : {}),
  };
}
