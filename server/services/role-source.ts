import type { AccessStore } from '../domain/access-ports.ts';
import type { RoleSource } from '../domain/intent-ports.ts';
import type { Clock } from '../domain/ports.ts';
import { isLive } from '../domain/session-policy.ts';

/** Roles as they are now: read each time, since the command line writes beside the server. */
export function createRoleSource(
  store: Pick<AccessStore, 'device' | 'keys'>,
  clock: Pick<Clock, 'now'>,
): RoleSource {
  return {
    roleOf({ kind, id }) {
      if (kind === 'device') {
        const device = store.device(id);
        return device !== null && isLive(device, clock.now()) ? device.role : null;
      }
      const key = store.keys().find((candidate) => candidate.id === id);
      return key?.revokedAt === null ? key.role : null;
    },
  };
}
