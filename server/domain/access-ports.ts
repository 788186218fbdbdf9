import type { Role } from '#shared/schemas/auth.ts';
import type { AuditLog } from './audit-log.ts';

/** A paired device and its session. `sessionHash` is the SHA-256 of the cookie's value, in hex. */
export interface DeviceRecord {
  readonly id: string;
  readonly label: string;
  readonly role: Role;
  readonly sessionHash: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** Set when the device was revoked or signed out: the row stays, so that its cookie is answered `revoked`. */
  readonly revokedAt: number | null;
}

/** An API key. `keyHash` is the SHA-256 of the whole key in hex, `prefix` its first characters, to recognise it by. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly label: string;
  readonly role: Role;
  readonly prefix: string;
  readonly keyHash: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

/**
 * A pairing code, hashed. `first_start` codes live until a device exists; `cli` and `device` codes until `expiresAt`. A
 * `device` code was made by a device or key and lets nobody in without a word of its maker.
 */
export interface PairingCodeRecord {
  readonly codeHash: string;
  readonly kind: 'first_start' | 'cli' | 'device';
  readonly role: Role;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly usedAt: number | null;
  /** Id of the device or key that made it; null for the other kinds. */
  readonly madeBy: string | null;
}

/** Somebody who typed a `device` code and waits. `secretHash` is the SHA-256 of what the applicant polls with. */
export interface PairingRequestRecord {
  readonly id: string;
  readonly secretHash: string;
  readonly label: string;
  readonly role: Role;
  readonly madeBy: string;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly decision: 'allowed' | 'refused' | null;
  /** The device that was made of it; null until the applicant fetched its session. */
  readonly deviceId: string | null;
}

/**
 * Devices, API keys and pairing codes. Calls are synchronous, each one transaction or part of the caller's. The CLI
 * opens the same tables beside a running server, so nothing here may be cached over a call.
 */
export interface AccessStore {
  /** True once any device was ever paired, revoked ones included. */
  hasDevice(): boolean;
  devices(): readonly DeviceRecord[];
  device(id: string): DeviceRecord | null;
  deviceBySession(sessionHash: string): DeviceRecord | null;
  insertDevice(device: DeviceRecord): void;
  updateDevice(id: string, values: Pick<DeviceRecord, 'label' | 'role'>): void;
  /** False when there is no such device or it was revoked before. */
  revokeDevice(id: string, at: number): boolean;

  keys(): readonly ApiKeyRecord[];
  keyByHash(keyHash: string): ApiKeyRecord | null;
  insertKey(key: ApiKeyRecord): void;
  /** False when there is no such key or it was revoked before. */
  revokeKey(id: string, at: number): boolean;

  /** Writes down when devices and keys were last used, all in one transaction; never moves a time back. */
  touch(used: readonly LastUse[]): void;

  /**
   * Keeps a code; an earlier unused `first_start` code is dropped when a new one comes, and of a maker's unused codes
   * all but the newest `keep`. A used code stays used.
   */
  insertCode(code: PairingCodeRecord, keep?: number): void;
  code(codeHash: string): PairingCodeRecord | null;
  /** Marks a code used; false when it was before. */
  useCode(codeHash: string, at: number): boolean;

  insertRequest(request: PairingRequestRecord): void;
  request(id: string): PairingRequestRecord | null;
  requestBySecret(secretHash: string): PairingRequestRecord | null;
  /** Requests nobody has decided that are open at `now`, oldest first. */
  openRequests(now: number): readonly PairingRequestRecord[];
  decide(
    id: string,
    values: Pick<PairingRequestRecord, 'role' | 'expiresAt'> & { readonly decision: 'allowed' | 'refused' },
  ): void;
  /** Notes which device a request became. */
  collect(id: string, deviceId: string): void;
  /** Ends what a device or key that is gone began: its unused codes are dropped, its open requests refused. */
  dropPairingsOf(madeBy: string): void;
  /** Ends every code and request, whoever made them: after a restore. */
  dropPairings(): void;
  /** Drops `device` codes and requests that ended before a time. */
  prunePairings(before: number): void;
}

/** When a device or key was last used. */
export interface LastUse {
  readonly kind: 'device' | 'key';
  readonly id: string;
  readonly at: number;
}

/** The part of the database that says who may do what, and remembers who did. */
export interface AccessDatabase {
  readonly access: AccessStore;
  readonly audit: AuditLog;
  /** One immediate transaction over both. */
  transact<T>(work: () => T): T;
}
