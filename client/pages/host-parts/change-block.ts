import type { Role } from '#shared/schemas/auth.ts';

/** Why hosts cannot be changed from this device now, in words; null when they can. */
export function changeBlock(isLive: boolean, role: Role | null): string | null {
  if (!isLive) return 'This needs the collector.';
  return role === 'admin' ? null : 'Only an admin can change hosts.';
}
