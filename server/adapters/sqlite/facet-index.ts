import { searchText } from '#shared/lib/search-text.ts';
import type { ActivityQuery } from '#shared/schemas/activity.ts';
import type { Connection } from './connection.ts';
import { FacetMatch } from './facet-match.ts';

/** What facets share but for their error text: a few thousand of these, however many error texts there are. */
interface Combination {
  readonly hostId: string;
  readonly modelId: string;
  readonly path: string | null;
  readonly source: string | null;
  readonly status: number | null;
  /** Model, path and source in lower case, each ended by a NUL, which no text of a query may hold. */
  readonly text: string;
}

/** What counts are made by. */
export interface FacetParts {
  readonly hostId: string;
  readonly modelId: string;
  readonly source: string | null;
  readonly failed: boolean;
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
  FROM facet f JOIN host_ref h ON h.no = f.host_no WHERE f.id > ? ORDER BY f.id LIMIT ?`;
/** Facets read at once: a few milliseconds, between which the deadline is looked at. */
const READ_FACETS = 10_000;
/** Filters whose matches are kept: someone pages, others have their own. */
const KEPT_MATCHES = 16;

type Filter = Pick<ActivityQuery, 'hostId' | 'modelId' | 'statusClass' | 'failed' | 'path' | 'q' | 'source'>;

/**
 * All facets in memory, read on as they are added. Facets are few beside rows (a fleet's models × paths × answers, and
 * its error texts), so a filter on any of their parts, substrings of one character included, is one pass over them.
 */
export class FacetIndex {
  readonly #connection: Connection;
  readonly #combinations: Combination[] = [];
  readonly #combinationNumbers = new Map<string, number>();
  /** Facets by position, in columns: id, combination, error text in lower case. */
  readonly #ids: number[] = [];
  readonly #positions = new Map<number, number>();
  readonly #numbers: number[] = [];
  readonly #errors: (string | null)[] = [];
  readonly #matches = new Map<string, FacetMatch>();
  #lastId = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The facets that fit the filter; null when it has no condition on them, so that every row fits. */
  matching(filter: Filter, checkDeadline: () => void = () => undefined): FacetMatch | null {
    const { hostId, modelId, statusClass, path, q, source } = filter;
    const failed = filter.failed === true;
    const needle = q === undefined || q === '' ? null : searchText(q);
    const unfiltered =
      !failed && [hostId, modelId, statusClass, path, source].every((part) => part === undefined);
    if (unfiltered && needle === null) return null;
    if (needle?.includes('\0')) return new FacetMatch();
    this.#refresh(checkDeadline);
    const match = this.#kept(JSON.stringify([hostId, modelId, statusClass, failed, path, source, needle]));
    this.#extend(match, filter, needle);
    return match;
  }

  /** What a facet stands for, for counts of rows; null: it is not known (any more). Call `matching` or this after a change. */
  facet(id: number): FacetParts | null {
    const at = this.#positions.get(id);
    const combination = at === undefined ? undefined : this.#combinations[this.#numbers[at] ?? -1];
    if (at === undefined || !combination) return null;
    const { hostId, modelId, source } = combination;
    return { hostId, modelId, source, failed: this.#isFailed(at) };
  }

  /** Reads the facets that were added since the last look. */
  refresh(checkDeadline: () => void = () => undefined): void {
    this.#refresh(checkDeadline);
  }

  #isFailed(at: number): boolean {
    const status = this.#combinations[this.#numbers[at] ?? -1]?.status ?? 0;
    return status >= 400 || (this.#errors[at] ?? null) !== null;
  }

  /** The kept matches of a filter, or new ones; those not asked for in a while are let go. */
  #kept(key: string): FacetMatch {
    const match = this.#matches.get(key) ?? new FacetMatch();
    this.#matches.delete(key);
    this.#matches.set(key, match);
    const [oldest] = this.#matches.keys();
    if (this.#matches.size > KEPT_MATCHES && oldest !== undefined) this.#matches.delete(oldest);
    return match;
  }

  #extend(match: FacetMatch, filter: Filter, needle: string | null): void {
    if (match.seen === this.#ids.length) return;
    const fits = this.#combinations.map((combination) => fitsFilter(combination, filter));
    const holds = this.#combinations.map(({ text }) => needle === null || text.includes(needle));
    for (let at = match.seen; at < this.#ids.length; at += 1) {
      const number = this.#numbers[at] ?? -1;
      if (fits[number] !== true || (filter.failed === true && !this.#isFailed(at))) continue;
      const found =
        holds[number] === true || (needle !== null && this.#errors[at]?.includes(needle) === true);
      if (found) match.add(this.#ids[at] ?? -1);
    }
    match.seen = this.#ids.length;
  }

  #refresh(checkDeadline: () => void): void {
    const newer = this.#connection.statement<FacetRow>(NEWER);
    for (;;) {
      const rows = newer.all(this.#lastId, READ_FACETS);
      for (const row of rows) this.#add(row);
      if (rows.length < READ_FACETS) return;
      checkDeadline();
    }
  }

  #add({ id, error, ...parts }: FacetRow): void {
    const key = JSON.stringify(parts);
    let number = this.#combinationNumbers.get(key);
    if (number === undefined) {
      const text = [parts.modelId, parts.path ?? '', parts.source ?? ''].map(searchText).join('\0');
      number = this.#combinations.push({ ...parts, text }) - 1;
      this.#combinationNumbers.set(key, number);
    }
    this.#positions.set(id, this.#ids.length);
    this.#ids.push(id);
    this.#numbers.push(number);
    this.#errors.push(error === null ? null : searchText(error));
    this.#lastId = id;
  }
}

function fitsFilter(facet: Combination, { hostId, modelId, statusClass, path, source }: Filter): boolean {
  if (hostId !== undefined && !hostId.includes(facet.hostId)) return false;
  if (modelId !== undefined && !modelId.includes(facet.modelId)) return false;
  if (path !== undefined && facet.path !== path) return false;
  if (source !== undefined && !source.includes(facet.source ?? '')) return false;
  if (statusClass === undefined) return true;
  return facet.status !== null && Math.floor(facet.status / 100) === Number(statusClass.slice(0, 1));
}
