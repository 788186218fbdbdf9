/** What of a host's models is shown; stands in the address. */
export interface HostSearch {
  /** Part of a model's id. */
  readonly q?: string;
}

/** Reads the address; what it does not know is left out. */
export function parseHostSearch({ q }: Record<string, unknown>): HostSearch {
  return typeof q === 'string' && q !== '' ? { q: q.slice(0, 200) } : {};
}
