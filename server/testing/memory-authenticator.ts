import type { Authenticator, AuthRefusal, Credentials, Identity } from '../domain/identity.ts';

/** Identities by key or session, with an end that sockets hear of (`end`) or only find at their re-check (`forget`). */
export interface MemoryAuthenticator extends Authenticator {
  readonly identities: Map<string, Identity>;
  end(secret: string, why: 'expired' | 'revoked'): void;
  forget(secret: string): void;
  /** Gives an identity another role or name, and tells. */
  change(secret: string, identity: Identity): void;
}

/** An authenticator over a map of secrets. */
export function memoryAuthenticator(identities: Readonly<Record<string, Identity>>): MemoryAuthenticator {
  const known = new Map(Object.entries(identities));
  const ended = new Map<string, AuthRefusal>();
  const listeners = new Set<(identityId: string, why: 'expired' | 'revoked') => void>();
  const changeListeners = new Set<(identity: Identity) => void>();
  return {
    identities: known,
    authenticate({ session, key }: Credentials) {
      const secret = session ?? key;
      if (secret === null) return 'missing';
      return known.get(secret) ?? ended.get(secret) ?? 'expired';
    },
    onEnded(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onChanged(listener) {
      changeListeners.add(listener);
      return () => changeListeners.delete(listener);
    },
    change(secret, identity) {
      known.set(secret, identity);
      for (const listener of changeListeners) listener(identity);
    },
    end(secret, why) {
      const identity = known.get(secret);
      known.delete(secret);
      ended.set(secret, why);
      if (identity) for (const listener of listeners) listener(identity.id, why);
    },
    forget(secret) {
      known.delete(secret);
    },
  };
}
