import { boundedText } from '#shared/lib/bounded-text.ts';
import { REDACTED, redactText } from '#shared/lib/redact.ts';

/** Headers that name a consumer, the first that is there counts: Drover's own, then its alias. */
const NAME_HEADERS = ['x-drover-source', 'x-boo-source'] as const;
/** What llama-swap takes for a session when its config does not say (v240+). */
export const DEFAULT_SESSION_HEADERS: readonly string[] = ['X-Session-ID', 'X-Litellm-Session-Id'];
/** A config may name any header as that of the session; these hold secrets, whatever it says. */
const SECRET_HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
]);
const MAX_SOURCE = 512;

/** Who sent a request, and the header that says so; null for an address. */
export interface RequestSource {
  readonly source: string;
  readonly header: string | null;
}

/**
 * The consumer that a request's headers name: `X-Drover-Source`, its alias, else the first of the host's session headers.
 * Null when none does. Header names in any case, values as a host or a capture has them; text is redacted and bounded.
 */
export function sourceOfHeaders(
  headers: Readonly<Record<string, unknown>>,
  sessionHeaders: readonly string[] = DEFAULT_SESSION_HEADERS,
): RequestSource | null {
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), { name, value }]));
  for (const wanted of [...NAME_HEADERS, ...sessionHeaders]) {
    const key = wanted.toLowerCase();
    const header = SECRET_HEADERS.has(key) ? undefined : sent.get(key);
    if (!header) continue;
    const source = readSource(Array.isArray(header.value) ? header.value[0] : header.value);
    if (source !== null) return { source, header: header.name };
  }
  return null;
}

/**
 * Whom a running request came from: what its headers name, else the address, in the words hosts since v253 use for the rows
 * of ended ones (`ip:…`, `xff:…` when a forwarding header told it).
 */
export function sourceOfRunning(
  request: { readonly headers: Readonly<Record<string, unknown>>; readonly remoteIp: string | null },
  sessionHeaders: readonly string[] = DEFAULT_SESSION_HEADERS,
): RequestSource | null {
  const named = sourceOfHeaders(request.headers, sessionHeaders);
  if (named) return named;
  const address = readSource(request.remoteIp);
  if (address === null) return null;
  const forwarded = Object.keys(request.headers).some((name) => name.toLowerCase() === 'x-forwarded-for');
  return { source: `${forwarded ? 'xff' : 'ip'}:${address}`, header: null };
}

function readSource(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = boundedText(redactText(value.slice(0, MAX_SOURCE * 2)).trim(), MAX_SOURCE);
  return text === '' || text.includes(REDACTED) ? null : text;
}
