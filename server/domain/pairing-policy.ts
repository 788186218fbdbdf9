import { roleAllows, type Role } from '#shared/schemas/auth.ts';
import type { PairingCodeRecord, PairingRequestRecord } from './access-ports.ts';
import type { Identity } from './identity.ts';

/** A code made on the command line or on a device is good for this long, and so is a request to be let in. */
export const CODE_MS = 10 * 60_000;
/** Whoever was let in in the last moment still has this long to fetch the session. */
export const COLLECT_MS = 60_000;
/** How often an applicant asks whether it was let in. */
export const POLL_AFTER_MS = 2_000;
/** Unused codes and undecided requests a device may have: it shows one at a time, and nobody reads a hundred requests. */
export const OPEN_PER_MAKER = 5;
/** Codes a maker may make, and names a device may give itself, in ten minutes: each is a line in a log kept for ever. */
export const CHANGE_LIMIT = { max: 30, windowMs: 600_000, maxAddresses: 10_000 } as const;
/** Codes and requests are kept a day past their end, so that a late try hears what became of them. */
export const KEEP_ENDED_MS = 86_400_000;

/** What a code is worth now. */
export type CodeStanding = 'open' | 'unknown' | 'used' | 'expired';

/**
 * Whether a code still lets somebody in. `makerRole` is the present role of the device or key that made it, null when
 * that is gone: nobody gives through an old code what they may not give any more.
 */
export function codeStanding(
  code: PairingCodeRecord | null,
  facts: { readonly now: number; readonly hasDevice: boolean; readonly makerRole: Role | null },
): CodeStanding {
  if (code === null) return 'unknown';
  if (code.usedAt !== null) return 'used';
  if (code.kind === 'first_start' && facts.hasDevice) return 'unknown';
  if (code.kind === 'device' && (facts.makerRole === null || !roleAllows(facts.makerRole, code.role))) {
    return 'unknown';
  }
  if (code.expiresAt !== null && facts.now >= code.expiresAt) return 'expired';
  return 'open';
}

/** True when it is this one's to see and decide: whoever made the code, on any page, and every admin. */
export function mayDecide(identity: Identity, request: PairingRequestRecord): boolean {
  return identity.role === 'admin' || request.madeBy === identity.id;
}
