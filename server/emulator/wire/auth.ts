import type { EraTraits } from '../era.ts';

/** Whether a request carries one of the keys: Basic (password), else Bearer, else `x-api-key`. */
export function isAuthorized(
  traits: EraTraits,
  keys: readonly string[],
  headers: { readonly authorization: string | null; readonly apiKey: string | null },
): boolean {
  if (keys.length === 0 || !traits.apiKeys) return true;
  const given = presentedKey(traits, headers);
  return given !== null && keys.includes(given);
}

function presentedKey(
  traits: EraTraits,
  headers: { readonly authorization: string | null; readonly apiKey: string | null },
): string | null {
  const { authorization, apiKey } = headers;
  const basic = credentials(traits, authorization, 'Basic ');
  if (basic !== null) {
    const pair = Buffer.from(basic, 'base64').toString('utf8');
    return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : null;
  }
  // A wrong Bearer shadows a right x-api-key.
  return credentials(traits, authorization, 'Bearer ') ?? apiKey;
}

function credentials(traits: EraTraits, authorization: string | null, scheme: string): string | null {
  if (authorization === null) return null;
  const start = authorization.slice(0, scheme.length);
  const matches = traits.bearerIgnoresCase ? start.toLowerCase() === scheme.toLowerCase() : start === scheme;
  return matches ? authorization.slice(scheme.length) : null;
}
