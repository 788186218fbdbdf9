import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';

/** No 0/O, 1/I/L: a code is read from one screen and typed on another. */
const CODE_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const KEY_PREFIX = 'drv_';

/** SHA-256 in hex: what is kept of a secret with enough randomness of its own. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** A session's opaque id: 256 random bits. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The session that the applicant with this secret is given. It follows from the secret, so that an applicant whose
 * answer was lost on the way fetches the same session again; neither is kept, only their hashes.
 */
export function sessionForApplicant(secret: string): string {
  return createHash('sha256').update(`session of ${secret}`).digest('base64url');
}

/** `XXXXX-XXXXX`, about 49 random bits; guessing is limited to ten wrong codes a minute. */
export function newPairingCode(): string {
  const letters = Array.from({ length: 10 }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)] ?? 'A');
  return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`;
}

/** `drv_` and 256 random bits; `prefix` is what lists show to recognise it by. */
export function newApiKey(): { readonly key: string; readonly prefix: string } {
  const key = `${KEY_PREFIX}${randomBytes(32).toString('base64url')}`;
  return { key, prefix: key.slice(0, KEY_PREFIX.length + 6) };
}

/** An id for a row: `dev-…`, `key-…`, `req-…`. */
export function newRowId(kind: 'dev' | 'key' | 'req'): string {
  return `${kind}-${randomUUID()}`;
}
