import { pairingCode, type ApiKey, type Device, type Role } from '#shared/schemas/auth.ts';
import type { AccessStore, ApiKeyRecord } from '../domain/access-ports.ts';
import { AttemptLimit } from '../domain/attempt-limit.ts';
import type { Authenticator, AuthRefusal, Credentials, Identity } from '../domain/identity.ts';
import type { Clock, Log } from '../domain/ports.ts';
import { CLI_CODE_MS, sessionEndsAt, TOUCH_EVERY_MS } from '../domain/session-policy.ts';
import { AppError } from '../errors.ts';
import { hashSecret, newApiKey, newPairingCode, newRowId, newSessionToken } from './credentials.ts';

const ENDED_POLL_MS = 1_000;
const PAIR_LIMIT = { max: 10, windowMs: 60_000, maxAddresses: 10_000 } as const;

type EndedListener = (identityId: string, why: 'expired' | 'revoked') => void;

/** What the service needs. */
export interface AuthServiceOptions {
  readonly store: AccessStore;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Pairing, sessions and API keys. The store is read at each check, because the command line writes the same tables
 * from another process: a key revoked there stops working here at once, and its sockets close within a second.
 */
export class AuthService implements Authenticator {
  readonly #store: AccessStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #limit = new AttemptLimit(PAIR_LIMIT);
  readonly #listeners = new Set<EndedListener>();
  #live = new Set<string>();
  #stopPolling: (() => void) | null = null;

  constructor(options: AuthServiceOptions) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** Begins to watch for identities that end. */
  start(): void {
    this.#live = this.#identitiesNow();
    this.#stopPolling ??= this.#clock.every(ENDED_POLL_MS, () => this.#announceEnded());
  }

  stop(): void {
    this.#stopPolling?.();
    this.#stopPolling = null;
  }

  /**
   * The code that pairs the first device, as admin: `given`, or a random one. Null once a device exists. Each start
   * makes a new one and forgets the last.
   */
  firstStartCode(given: string | null): string | null {
    if (this.#store.hasDevice()) return null;
    const code = given ?? newPairingCode();
    this.#store.insertCode({
      codeHash: hashSecret(code),
      kind: 'first_start',
      role: 'admin',
      createdAt: this.#clock.now(),
      expiresAt: null,
      usedAt: null,
    });
    return code;
  }

  /** A code made by whoever may open the database: for the locked-out, and for scripts. */
  issueCode(role: Role): { readonly code: string; readonly expiresAt: number } {
    const code = newPairingCode();
    const now = this.#clock.now();
    const expiresAt = now + CLI_CODE_MS;
    this.#store.insertCode({
      codeHash: hashSecret(code),
      kind: 'cli',
      role,
      createdAt: now,
      expiresAt,
      usedAt: null,
    });
    return { code, expiresAt };
  }

  /** Redeems a code for a device and the secret of its session. Only failures count towards the limit of `address`. */
  pair(
    request: { readonly code: string; readonly label: string },
    address: string,
  ): { readonly device: Device; readonly session: string } {
    const now = this.#clock.now();
    const retryAfterMs = this.#limit.waitMs(address, now);
    if (retryAfterMs > 0) {
      throw new AppError('rate_limited', 'Too many wrong codes; wait a minute and try again.', {
        retryAfterMs,
      });
    }
    const session = newSessionToken();
    const record = {
      id: newRowId('dev'),
      label: request.label,
      sessionHash: hashSecret(session),
      createdAt: now,
      lastSeenAt: now,
    };
    const outcome = pairingCode.safeParse(request.code).success
      ? this.#store.redeem(hashSecret(request.code), record, now)
      : ({ kind: 'unknown' } as const);
    if (outcome.kind === 'paired') {
      this.#log.info({ deviceId: record.id, label: record.label, role: outcome.role }, 'a device was paired');
      return { device: { id: record.id, label: record.label, role: outcome.role }, session };
    }
    this.#limit.failed(address, now);
    switch (outcome.kind) {
      case 'used':
        throw new AppError('code_used', 'This code was used already; each code pairs one device.');
      case 'expired':
        throw new AppError('gone', 'This code ran out; make a new one.');
      case 'unknown':
        throw new AppError('bad_code', 'This is not a valid pairing code.');
    }
  }

  authenticate(credentials: Credentials, now: number): Identity | AuthRefusal {
    if (credentials.key !== null) return this.#byKey(credentials.key, now);
    if (credentials.session !== null) return this.#bySession(credentials.session, now);
    return 'missing';
  }

  onEnded(listener: EndedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends the session of a device that signs out. A key cannot sign out; it is revoked. */
  signOut(identity: Identity): void {
    if (identity.kind === 'key') {
      throw new AppError('conflict', 'An API key has no session to sign out of; revoke it instead.');
    }
    this.#store.revokeDevice(identity.id, this.#clock.now());
    this.#announceEnded();
  }

  /** Keys that work, oldest first. */
  listKeys(): readonly ApiKey[] {
    return this.#store
      .keys()
      .filter((key) => key.revokedAt === null)
      .map(shownKey);
  }

  /** Makes a key; the answer is the only place where it ever stands in full. */
  createKey(request: { readonly label: string; readonly role: Role }): ApiKey & { readonly key: string } {
    const { key, prefix } = newApiKey();
    const record: ApiKeyRecord = {
      id: newRowId('key'),
      label: request.label,
      role: request.role,
      prefix,
      keyHash: hashSecret(key),
      createdAt: this.#clock.now(),
      lastUsedAt: null,
      revokedAt: null,
    };
    this.#store.insertKey(record);
    this.#live.add(record.id);
    this.#log.info({ keyId: record.id, label: record.label, role: record.role }, 'an API key was made');
    return { ...shownKey(record), key };
  }

  /** Throws `not_found` when no such key works. */
  revokeKey(id: string): void {
    if (!this.#store.revokeKey(id, this.#clock.now())) {
      throw new AppError('not_found', 'There is no such API key, or it was revoked before.');
    }
    this.#log.info({ keyId: id }, 'an API key was revoked');
    this.#announceEnded();
  }

  #byKey(key: string, now: number): Identity | AuthRefusal {
    const record = this.#store.keyByHash(hashSecret(key));
    if (record === null) return 'expired';
    if (record.revokedAt !== null) return 'revoked';
    this.#touch(record.lastUsedAt, now, () => this.#store.touchKey(record.id, now));
    return { kind: 'key', id: record.id, label: record.label, role: record.role };
  }

  #bySession(session: string, now: number): Identity | AuthRefusal {
    const record = this.#store.deviceBySession(hashSecret(session));
    if (record === null) return 'expired';
    if (record.revokedAt !== null) return 'revoked';
    if (now >= sessionEndsAt(record)) return 'expired';
    this.#touch(record.lastSeenAt, now, () => this.#store.touchDevice(record.id, now));
    return { kind: 'device', id: record.id, label: record.label, role: record.role };
  }

  /** A full disk must not sign people out: the page that names the remedy is behind this. */
  #touch(last: number | null, now: number, write: () => void): void {
    if (last !== null && now - last < TOUCH_EVERY_MS) return;
    try {
      write();
    } catch (error) {
      this.#log.warn({ error: String(error) }, 'the last use of a session or key could not be written');
    }
  }

  #announceEnded(): void {
    let now: Set<string>;
    try {
      now = this.#identitiesNow();
    } catch (error) {
      this.#log.warn({ error: String(error) }, 'sessions and keys could not be read');
      return;
    }
    const ended = [...this.#live].filter((id) => !now.has(id));
    this.#live = now;
    if (ended.length === 0) return;
    const revoked = new Set(
      [...this.#store.devices(), ...this.#store.keys()]
        .filter((record) => record.revokedAt !== null)
        .map((record) => record.id),
    );
    for (const id of ended) {
      for (const listener of this.#listeners) listener(id, revoked.has(id) ? 'revoked' : 'expired');
    }
  }

  #identitiesNow(): Set<string> {
    const now = this.#clock.now();
    const devices = this.#store
      .devices()
      .filter((device) => device.revokedAt === null && now < sessionEndsAt(device));
    const keys = this.#store.keys().filter((key) => key.revokedAt === null);
    return new Set([...devices, ...keys].map((record) => record.id));
  }
}

function shownKey(record: ApiKeyRecord): ApiKey {
  const { id, prefix, label, role, createdAt, lastUsedAt } = record;
  return { id, prefix, label, role, createdAt, lastUsedAt };
}
