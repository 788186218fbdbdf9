import type { HostLease } from '#shared/schemas/lease.ts';

/**
 * Who may change what runs on a host. `token` rises with every grant and never falls, so that whoever acts under an
 * older one can be told that its time is over; the row stays when nobody holds it.
 */
export interface Lease {
  readonly hostId: string;
  readonly token: number;
  /** What acts: an intent's id, a run's id. Null: nobody. */
  readonly holder: string | null;
  readonly purpose: string;
  readonly since: number;
  /** When whoever holds it is over at the latest. */
  readonly endsBy: number;
  /** When it ends unless a heartbeat comes. */
  readonly expiresAt: number;
}

/** How long a lease lasts without a heartbeat. */
export const LEASE_MS = 30_000;

/** What is asked for. */
export interface LeaseRequest {
  readonly hostId: string;
  readonly holder: string;
  readonly purpose: string;
  /** How long it may take at most. */
  readonly lastsMs: number;
}

/** Grants a free or expired lease; null while another holds it. */
export function grantLease(current: Lease | null, request: LeaseRequest, now: number): Lease | null {
  if (current !== null && isHeld(current, now)) return null;
  const { hostId, holder, purpose, lastsMs } = request;
  const token = (current?.token ?? 0) + 1;
  return { hostId, holder, purpose, token, since: now, endsBy: now + lastsMs, expiresAt: now + LEASE_MS };
}

/** The lease with a heartbeat of its holder; null when the token is not the one that counts any more. */
export function renewLease(current: Lease | null, token: number, now: number): Lease | null {
  if (!holdsLease(current, token, now)) return null;
  return current && { ...current, expiresAt: now + LEASE_MS };
}

/** The lease given back; null when it was another's already. */
export function freeLease(current: Lease | null, token: number): Lease | null {
  if (current === null || current.token !== token || current.holder === null) return null;
  return { ...current, holder: null };
}

/** True when whoever has this token may act. */
export function holdsLease(current: Lease | null, token: number, now: number): boolean {
  return current !== null && current.token === token && isHeld(current, now);
}

/**
 * A lease as the document shows it; null when nobody holds it. Its end is that of the holder: heartbeats come every few
 * seconds, and a document is for what changes seldom.
 */
export function leaseEntry({ hostId, holder, purpose, since, endsBy }: Lease): HostLease | null {
  return holder === null ? null : { hostId, holder, purpose, since, expiresAt: endsBy };
}

/** True while somebody holds it. */
export function isHeld(lease: Lease, now: number): boolean {
  return lease.holder !== null && now < lease.expiresAt;
}
