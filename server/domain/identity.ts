import type { Role } from '#shared/schemas/auth.ts';

/** Who makes a request or holds a socket; it comes from the cookie or key, never from what they send. */
export interface Identity {
  readonly kind: 'device' | 'key';
  readonly id: string;
  readonly label: string;
  readonly role: Role;
}

/** Credentials as they arrive: the session cookie's value and the API key of a header or `?key=`. */
export interface Credentials {
  readonly session: string | null;
  readonly key: string | null;
}

/** Why credentials give no identity: none were sent, they ran out, or someone revoked them. */
export type AuthRefusal = 'missing' | 'expired' | 'revoked';

/** Checks credentials at each request and upgrade, and tells open sockets when they end. */
export interface Authenticator {
  authenticate(credentials: Credentials, now: number): Identity | AuthRefusal;
  /** Called when a device or key was revoked or expired, so that its sockets close at once. */
  onEnded(listener: (identityId: string, why: 'expired' | 'revoked') => void): () => void;
  /** Called when a device or key was given another role or name, with what holds from now on. */
  onChanged(listener: (identity: Identity) => void): () => void;
}
