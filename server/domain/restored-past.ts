import type { Role } from '#shared/schemas/auth.ts';

/** What the database that a backup replaces knows, and the backup cannot. */
export interface ReplacedPast {
  /** Generation of each document, by kind. */
  readonly generations: ReadonlyMap<string, number>;
  /** The highest epoch of any outbox; 0 where there were none yet. */
  readonly outboxEpoch: number;
  readonly access: readonly AccessStanding[];
  /** The end of its audit log; null when it had none. */
  readonly audit: { readonly records: number; readonly head: string } | null;
}

/** What a device or key may do. */
export interface AccessStanding {
  readonly kind: 'device' | 'key';
  readonly id: string;
  readonly role: Role;
  readonly revokedAt: number | null;
}

/**
 * How far numbers jump when nothing tells how far the lost history had come: a client that missed a restore must never
 * find its old number again with another content.
 */
const UNKNOWN_JUMP = 1_000;

/** The number after a restore: above both histories, and far above when one of them is not known. */
export function numberAfterRestore(restored: number, replaced: number | null): number {
  return replaced === null ? restored + UNKNOWN_JUMP : Math.max(restored, replaced) + 1;
}
