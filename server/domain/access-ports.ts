import type { Role } from '#shared/schemas/auth.ts';

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

/** A pairing code, hashed. `first_start` codes live until a device exists; `cli` codes until `expiresAt`. */
export interface PairingCodeRecord {
  readonly codeHash: string;
  readonly kind: 'first_start' | 'cli';
  readonly role: Role;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly usedAt: number | null;
}

/** What redeeming a code came to; the code is used up only by `paired`. */
export type RedeemOutcome =
  | { readonly kind: 'paired'; readonly role: Role }
  | { readonly kind: 'unknown' | 'used' | 'expired' };

/**
 * Devices, API keys and pairing codes. Calls are synchronous, each one transaction. The CLI opens the same tables
 * beside a running server, so nothing here may be cached over a call.
 */
export interface AccessStore {
  /** True once any device was ever paired, revoked ones included. */
  hasDevice(): boolean;
  devices(): readonly DeviceRecord[];
  deviceBySession(sessionHash: string): DeviceRecord | null;
  touchDevice(id: string, at: number): void;
  /** False when there is no such device or it was revoked before. */
  revokeDevice(id: string, at: number): boolean;

  keys(): readonly ApiKeyRecord[];
  keyByHash(keyHash: string): ApiKeyRecord | null;
  insertKey(key: ApiKeyRecord): void;
  touchKey(id: string, at: number): void;
  /** False when there is no such key or it was revoked before. */
  revokeKey(id: string, at: number): boolean;

  /** Keeps a code; an earlier unused `first_start` code is dropped when a new one comes. A used code stays used. */
  insertCode(code: PairingCodeRecord): void;
  code(codeHash: string): PairingCodeRecord | null;
  /**
   * In one immediate transaction: checks the code (unknown, used, expired at `now`, or a `first_start` code while a
   * device exists: `unknown`), marks it used and inserts the device with the code's role.
   */
  redeem(codeHash: string, device: Omit<DeviceRecord, 'role' | 'revokedAt'>, now: number): RedeemOutcome;
}
