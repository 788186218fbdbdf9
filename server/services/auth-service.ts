import type { ApiKey, Role } from '#shared/schemas/auth.ts';
import type { AccessDatabase, ApiKeyRecord, DeviceRecord } from '../domain/access-ports.ts';
import { actorOf, type AuditActor } from '../domain/audit-log.ts';
import type { Authenticator, AuthRefusal, Credentials, Identity } from '../domain/identity.ts';
import type { Clock, Log } from '../domain/ports.ts';
import { isLive, sessionEndsAt, TOUCH_EVERY_MS } from '../domain/session-policy.ts';
import { AppError } from '../errors.ts';
import { hashSecret, newApiKey, newRowId } from './credentials.ts';
import { LastUse } from './last-use.ts';
import { SessionWatch } from './session-watch.ts';

const LOOK_MS = 1_000;

/** What the service needs. */
export interface AuthServiceOptions {
  readonly database: AccessDatabase;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Sessions and API keys. The store is read at each check, because the command line writes the same tables from another
 * process: a key revoked there stops working here at once, and its sockets close within a second.
 */
export class AuthService implements Authenticator {
  readonly #database: AccessDatabase;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #lastUse: LastUse;
  readonly #watch: SessionWatch;
  #cancel: (() => void)[] = [];

  constructor(options: AuthServiceOptions) {
    this.#database = options.database;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#lastUse = new LastUse(options.database.access, options.log);
    const source = { identities: () => this.#identities(), isRevoked: (id: string) => this.#isRevoked(id) };
    this.#watch = new SessionWatch(source, options.log);
  }

  /** Begins to watch for identities that end or change, and to write down when they were used. */
  start(): void {
    this.#watch.look();
    this.#cancel = [
      this.#clock.every(LOOK_MS, () => this.#watch.look()),
      this.#clock.every(TOUCH_EVERY_MS, () => this.#lastUse.flush()),
    ];
  }

  stop(): void {
    for (const cancel of this.#cancel) cancel();
    this.#cancel = [];
    this.#lastUse.flush();
  }

  authenticate(credentials: Credentials, now: number): Identity | AuthRefusal {
    const who =
      credentials.key !== null
        ? this.#byKey(credentials.key)
        : credentials.session !== null
          ? this.#bySession(credentials.session, now)
          : 'missing';
    if (typeof who === 'string') return who;
    this.#lastUse.note(who.kind, who.id, now);
    this.#watch.saw(who);
    return who;
  }

  onEnded(listener: (identityId: string, why: 'expired' | 'revoked') => void): () => void {
    return this.#watch.onEnded(listener);
  }

  onChanged(listener: (identity: Identity) => void): () => void {
    return this.#watch.onChanged(listener);
  }

  /** Tells sockets at once of what was just written, not at the next look. */
  announce(): void {
    this.#watch.look();
  }

  /** Devices whose session opens something, oldest first, with the latest use known. */
  liveDevices(): readonly DeviceRecord[] {
    const now = this.#clock.now();
    return this.#database.access
      .devices()
      .map((device) => ({ ...device, lastSeenAt: this.#lastUse.latest(device.id, device.lastSeenAt) }))
      .filter((device) => isLive(device, now));
  }

  /** Ends the session of a device that signs out. A key cannot sign out; it is revoked. */
  signOut(identity: Identity): void {
    if (identity.kind === 'key') {
      throw new AppError('conflict', 'An API key has no session to sign out of; revoke it instead.');
    }
    const { access, audit } = this.#database;
    const at = this.#clock.now();
    this.#database.transact(() => {
      access.revokeDevice(identity.id, at);
      access.dropPairingsOf(identity.id);
      const actor = actorOf(identity);
      audit.append({ at, actor, action: 'device.sign-out', target: identity.id, detail: null });
    });
    this.#watch.look();
  }

  /** Keys that work, oldest first. */
  listKeys(): readonly ApiKey[] {
    return this.#database.access
      .keys()
      .filter((key) => key.revokedAt === null)
      .map((key) => shownKey({ ...key, lastUsedAt: this.#lastUse.latestOrNull(key.id, key.lastUsedAt) }));
  }

  /** Makes a key; the answer is the only place where it ever stands in full. */
  createKey(
    request: { readonly label: string; readonly role: Role },
    by: AuditActor,
  ): ApiKey & { readonly key: string } {
    const { key, prefix } = newApiKey();
    const at = this.#clock.now();
    const record: ApiKeyRecord = {
      id: newRowId('key'),
      label: request.label,
      role: request.role,
      prefix,
      keyHash: hashSecret(key),
      createdAt: at,
      lastUsedAt: null,
      revokedAt: null,
    };
    const { access, audit } = this.#database;
    this.#database.transact(() => {
      access.insertKey(record);
      const detail = { label: record.label, role: record.role, prefix };
      audit.append({ at, actor: by, action: 'key.create', target: record.id, detail });
    });
    this.#log.info({ keyId: record.id, label: record.label, role: record.role }, 'an API key was made');
    return { ...shownKey(record), key };
  }

  /** Throws `not_found` when no such key works. */
  revokeKey(id: string, by: AuditActor): void {
    const { access, audit } = this.#database;
    const at = this.#clock.now();
    this.#database.transact(() => {
      if (!access.revokeKey(id, at)) {
        throw new AppError('not_found', 'There is no such API key, or it was revoked before.');
      }
      access.dropPairingsOf(id);
      audit.append({ at, actor: by, action: 'key.revoke', target: id, detail: null });
    });
    this.#log.info({ keyId: id }, 'an API key was revoked');
    this.#watch.look();
  }

  #byKey(key: string): Identity | AuthRefusal {
    const record = this.#database.access.keyByHash(hashSecret(key));
    if (record === null) return 'expired';
    if (record.revokedAt !== null) return 'revoked';
    return keyIdentity(record);
  }

  #bySession(session: string, now: number): Identity | AuthRefusal {
    const record = this.#database.access.deviceBySession(hashSecret(session));
    if (record === null) return 'expired';
    if (record.revokedAt !== null) return 'revoked';
    const lastSeenAt = this.#lastUse.latest(record.id, record.lastSeenAt);
    return now < sessionEndsAt({ ...record, lastSeenAt }) ? deviceIdentity(record) : 'expired';
  }

  #identities(): readonly Identity[] {
    const keys = this.#database.access.keys().filter((key) => key.revokedAt === null);
    return [...this.liveDevices().map(deviceIdentity), ...keys.map(keyIdentity)];
  }

  #isRevoked(id: string): boolean {
    const { access } = this.#database;
    const record = access.device(id) ?? access.keys().find((key) => key.id === id);
    return record !== undefined && record.revokedAt !== null;
  }
}

function deviceIdentity({ id, label, role }: DeviceRecord): Identity {
  return { kind: 'device', id, label, role };
}

function keyIdentity({ id, label, role }: ApiKeyRecord): Identity {
  return { kind: 'key', id, label, role };
}

function shownKey(record: ApiKeyRecord): ApiKey {
  const { id, prefix, label, role, createdAt, lastUsedAt } = record;
  return { id, prefix, label, role, createdAt, lastUsedAt };
}
