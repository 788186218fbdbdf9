import type { ActivityFilter } from '../../data/types.ts';

/** Filters of the activity page as the address holds them. */
export interface ActivitySearch {
  readonly failures?: true;
  readonly host?: readonly string[];
  readonly model?: readonly string[];
  /** An empty text stands for requests whose source is unknown. */
  readonly source?: readonly string[];
  readonly q?: string;
  /** `YYYY-MM-DD`; left out: the last 24 h, live. */
  readonly day?: string;
  /** The request that is open: `host.idEpoch.id`. */
  readonly open?: string;
  /** The whole history instead of a day or the last 24 h. */
  readonly all?: true;
  /** Name of the saved view that these filters are. */
  readonly view?: string;
}

const MAX_CHOICES = 50;
/** Most characters of a saved view's name. */
export const MAX_VIEW_NAME = 60;

/** Reads the address; what it does not know or cannot use is left out. */
export function parseActivitySearch(search: Record<string, unknown>): ActivitySearch {
  const { failures, q, day, all, view, open } = search;
  const host = texts(search['host']);
  const model = texts(search['model']);
  const source = texts(search['source']);
  const isAll = all === true || all === 'true';
  return {
    ...(failures === true || failures === 'true' ? { failures: true } : {}),
    ...(host.length > 0 ? { host } : {}),
    ...(model.length > 0 ? { model } : {}),
    ...(source.length > 0 ? { source } : {}),
    ...(typeof q === 'string' && q !== '' ? { q: q.slice(0, 200) } : {}),
    ...(isAll ? { all: true } : typeof day === 'string' && isDay(day) ? { day } : {}),
    ...(typeof view === 'string' && view !== '' ? { view: view.slice(0, MAX_VIEW_NAME) } : {}),
    ...(typeof open === 'string' && open.length <= 64 ? { open } : {}),
  };
}

/** The data layer's filter for an address. */
export function filterOf(search: ActivitySearch): ActivityFilter {
  return {
    failuresOnly: search.failures ?? false,
    hostIds: search.host,
    modelIds: search.model,
    sources: search.source,
    q: search.q,
    day: search.day ?? null,
  };
}

/** The address without what is open: as long as it is the same, the list is. */
export function listSearch({ open: _open, ...list }: ActivitySearch): ActivitySearch {
  return list;
}

/** True when anything but the time is filtered. */
export function isFiltered(search: ActivitySearch): boolean {
  const { failures, host, model, source, q } = search;
  return [failures, host, model, source, q].some((part) => part !== undefined);
}

/** The address without filters, at the same time. */
export function withoutFilters({ day, all }: ActivitySearch): ActivitySearch {
  return { ...(day === undefined ? {} : { day }), ...(all === undefined ? {} : { all }) };
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00`));
}

function texts(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((item): item is string => typeof item === 'string').slice(0, MAX_CHOICES);
}
