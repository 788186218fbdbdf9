import type { AccessStore } from '../domain/access-ports.ts';
import type { RoleSource } from '../domain/intent-ports.ts';

/** Roles as they are now: read each time, since the command line writes beside the server. */
export function createRoleSource(store: Pick<AccessStore, 'devices' | 'keys'>): RoleSource {
  return {
    roleOf({ kind, id }) {
      const known = (kind === 'device' ? store.devices() : store.keys()).find((entry) => entry.id === id);
      return known?.revokedAt === null ? known.role : null;
    },
  };
}
