import type { ActivityQuery } from '#shared/schemas/activity.ts';
import type { Connection } from './connection.ts';

interface Facet {
  readonly hostId: string;
  readonly modelId: string;
  readonly path: string | null;
  readonly source: string | null;
  readonly status: number | null;
  /** Model, path, error and source in lower case, each ended by a NUL, which no text of a query may hold. */
  readonly text: string;
}

interface FacetRow {
  id: number;
  hostId: string;
  modelId: string;
  path: string | null;
  source: string | null;
  error: string | null;
  status: number | null;
}

const NEWER = `SELECT f.id, h.host_id AS hostId, f.model_id AS modelId, f.path, f.source, f.error, f.status
  FROM facet f JOIN host_ref h ON h.no = f.host_no WHERE f.id > ? ORDER BY f.id`;

type Filter = Pick<ActivityQuery, 'hostId' | 'modelId' | 'statusClass' | 'path' | 'q' | 'source'>;

/**
 * All facets in memory, read on as they are added. Facets are few beside rows (a fleet's models × paths × answers, and
 * its error texts), so a filter on any of their parts, substrings of one character included, is one pass over them.
 */
export class FacetIndex {
  readonly #connection: Connection;
  readonly #facets = new Map<number, Facet>();
  #lastId = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Ids of the facets that fit the filter; null when it has no condition on them, so that every row fits. */
  matching(filter: Filter): ReadonlySet<number> | null {
    const { hostId, modelId, statusClass, path, q, source } = filter;
    const needle = q === undefined || q === '' ? null : q.toLowerCase();
    const unfiltered = [hostId, modelId, statusClass, path, source].every((part) => part === undefined);
    if (unfiltered && needle === null) return null;
    this.#refresh();
    const hundreds = statusClass === undefined ? null : Number(statusClass.slice(0, 1));
    if (needle?.includes('\0')) return new Set();
    const matching = new Set<number>();
    for (const [id, facet] of this.#facets) {
      if (hostId !== undefined && facet.hostId !== hostId) continue;
      if (modelId !== undefined && facet.modelId !== modelId) continue;
      if (path !== undefined && facet.path !== path) continue;
      if (source !== undefined && facet.source !== source) continue;
      if (hundreds !== null && (facet.status === null || Math.floor(facet.status / 100) !== hundreds))
        continue;
      if (needle !== null && !facet.text.includes(needle)) continue;
      matching.add(id);
    }
    return matching;
  }

  #refresh(): void {
    for (const row of this.#connection.statement<FacetRow>(NEWER).all(this.#lastId)) {
      const { id, error, ...parts } = row;
      const text = [parts.modelId, parts.path ?? '', error ?? '', parts.source ?? '']
        .join('\0')
        .toLowerCase();
      this.#facets.set(id, { ...parts, text });
      this.#lastId = id;
    }
  }
}
