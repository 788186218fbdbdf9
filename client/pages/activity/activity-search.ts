import type { ActivityFilter } from '../../data/types.ts';

/** Filters of the activity page as the address holds them. */
export interface ActivitySearch {
  readonly failures?: true;
  readonly host?: readonly string[];
  readonly model?: readonly string[];
  readonly source?: string;
  readonly q?: string;
  /** `YYYY-MM-DD`; left out: the last 24 h, live. */
  readonly day?: string;
  /** The request that is open: `host.idEpoch.id`. */
  readonly open?: string;
}

const MAX_CHOICES = 50;

/** Reads the address; what it does not know or cannot use is left out. */
export function parseActivitySearch(search: Record<string, unknown>): ActivitySearch {
  const { failures, source, q, day, open } = search;
  const host = texts(search['host']);
  const model = texts(search['model']);
  return {
    ...(failures === true || failures === 'true' ? { failures: true } : {}),
    ...(host.length > 0 ? { host } : {}),
    ...(model.length > 0 ? { model } : {}),
    ...(typeof source === 'string' && source !== '' ? { source } : {}),
    ...(typeof q === 'string' && q !== '' ? { q: q.slice(0, 200) } : {}),
    ...(typeof day === 'string' && isDay(day) ? { day } : {}),
    ...(typeof open === 'string' && open.length <= 64 ? { open } : {}),
  };
}

/** The data layer's filter for an address. */
export function filterOf(search: ActivitySearch): ActivityFilter {
  return {
    failuresOnly: search.failures ?? false,
    hostIds: search.host,
    modelIds: search.model,
    source: search.source,
    q: search.q,
    day: search.day ?? null,
  };
}

/** The address without what is open: as long as it is the same, the list is. */
export function listSearch({ open: _open, ...list }: ActivitySearch): ActivitySearch {
  return list;
}

/** True when anything but the day is filtered. */
export function isFiltered(search: ActivitySearch): boolean {
  const { day: _day, ...filters } = listSearch(search);
  return Object.keys(filters).length > 0;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00`));
}

function texts(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((item): item is string => typeof item === 'string').slice(0, MAX_CHOICES);
}
