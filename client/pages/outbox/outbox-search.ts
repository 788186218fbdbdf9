/** What of the outbox is shown; stands in the address, so that Back, reload and a shared link keep it. */
export interface OutboxSearch {
  /** Left out: everyone’s. */
  readonly who?: 'mine';
  readonly host?: readonly string[];
  /** Ids of devices and keys. */
  readonly device?: readonly string[];
  /** The action that is open beside the list. */
  readonly id?: string;
}

const MAX_CHOICES = 50;

/** Reads the address; what it does not know or cannot use is left out. */
export function parseOutboxSearch(search: Record<string, unknown>): OutboxSearch {
  const { who, id } = search;
  const host = texts(search['host']);
  const device = texts(search['device']);
  return {
    ...(who === 'mine' ? { who } : {}),
    ...(host.length > 0 ? { host } : {}),
    ...(device.length > 0 ? { device } : {}),
    ...(typeof id === 'string' && id !== '' ? { id: id.slice(0, 64) } : {}),
  };
}

function texts(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((item): item is string => typeof item === 'string').slice(0, MAX_CHOICES);
}
