/** Pages and APIs of a llama-swap that people paste instead of its base address. */
const PASTED_PATHS = /\/(ui|v1)(\/.*)?$/i;

/** A host's base address in one spelling: no trailing slash, name in lower case, no default port, no `/ui` or `/v1`. */
export function normalizeHostUrl(text: string): string {
  const url = new URL(text);
  const path = url.pathname.replace(PASTED_PATHS, '').replace(/\/+$/, '');
  return `${url.origin}${path}`;
}

/** An id from a label: `Gaming PC (attic)` → `gaming-pc-attic`; `host` when nothing is left. */
export function hostIdFromLabel(label: string): string {
  const words = label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return words.slice(0, 32).replace(/-+$/, '') || 'host';
}

/** `base`, or `base-2`, `base-3` … when it is taken; never longer than 32 characters. */
export function uniqueHostId(base: string, taken: (id: string) => boolean): string {
  if (!taken(base)) return base;
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const id = `${base.slice(0, 32 - suffix.length).replace(/-+$/, '')}${suffix}`;
    if (!taken(id)) return id;
  }
}

/** Addresses the server itself answers at. */
export interface OwnAddresses {
  readonly port: number;
  /** Names and IP addresses of this machine, in lower case. */
  readonly names: ReadonlySet<string>;
  readonly publicUrl: string | null;
}

/** True when `url` is Drover itself: it would listen to itself. */
export function isOwnAddress(url: string, own: OwnAddresses): boolean {
  const { origin, hostname, port, protocol } = new URL(url);
  if (origin === own.publicUrl) return true;
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  const name = hostname.toLowerCase().replace(/^\[|\]$/g, '');
  return number === own.port && (own.names.has(name) || name.startsWith('127.'));
}
