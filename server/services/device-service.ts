import type { DevicePatch, ListedDevice } from '#shared/schemas/auth.ts';
import type { AccessDatabase, DeviceRecord } from '../domain/access-ports.ts';
import { AttemptLimit } from '../domain/attempt-limit.ts';
import { actorOf } from '../domain/audit-log.ts';
import type { Identity } from '../domain/identity.ts';
import { CHANGE_LIMIT } from '../domain/pairing-policy.ts';
import type { Clock, Log } from '../domain/ports.ts';
import { AppError } from '../errors.ts';
import type { AuthService } from './auth-service.ts';

/** What the service needs. */
export interface DeviceServiceOptions {
  readonly database: AccessDatabase;
  readonly auth: Pick<AuthService, 'liveDevices' | 'announce'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The list of paired devices. Admins see and change all of them; everybody else sees their own device and may rename
 * it. There is always a device with the role admin, or nobody could let another in but at the server itself.
 */
export class DeviceService {
  readonly #options: DeviceServiceOptions;
  readonly #changes = new AttemptLimit(CHANGE_LIMIT);

  constructor(options: DeviceServiceOptions) {
    this.#options = options;
  }

  /** What `identity` may see of the devices, oldest first. */
  list(identity: Identity): readonly ListedDevice[] {
    return this.#options.auth
      .liveDevices()
      .filter((device) => identity.role === 'admin' || device.id === identity.id)
      .map((device) => shown(device, identity));
  }

  /** Renames a device or gives it another role, which open sockets have at once. */
  patch(identity: Identity, id: string, patch: DevicePatch): ListedDevice {
    if (identity.role !== 'admin' && (id !== identity.id || patch.role !== undefined)) {
      throw new AppError('forbidden', 'This needs the role admin; you may rename your own device.');
    }
    const { database, clock, log, auth } = this.#options;
    const at = clock.now();
    const retryAfterMs = this.#changes.waitMs(identity.id, at);
    if (retryAfterMs > 0) {
      throw new AppError('rate_limited', 'Too many changes; wait a while and try again.', { retryAfterMs });
    }
    this.#changes.count(identity.id, at);
    const changed = database.transact(() => {
      const before = this.#find(id);
      const after = { ...before, label: patch.label ?? before.label, role: patch.role ?? before.role };
      if (before.role === 'admin' && after.role !== 'admin') this.#refuseLastAdmin(id);
      database.access.updateDevice(id, after);
      for (const field of ['label', 'role'] as const) {
        if (before[field] === after[field]) continue;
        const action = field === 'label' ? 'device.rename' : 'device.role';
        const detail = { from: before[field], to: after[field] };
        database.audit.append({ at, actor: actorOf(identity), action, target: id, detail });
      }
      return after;
    });
    log.info({ deviceId: id, label: changed.label, role: changed.role }, 'a device was changed');
    auth.announce();
    return shown(changed, identity);
  }

  /** Ends a device's session: its sockets close at once, its codes and the requests they brought are void. */
  revoke(identity: Identity, id: string): void {
    const { database, clock, log, auth } = this.#options;
    const at = clock.now();
    database.transact(() => {
      const device = this.#find(id);
      if (device.role === 'admin') this.#refuseLastAdmin(id);
      database.access.revokeDevice(id, at);
      database.access.dropPairingsOf(id);
      const detail = { label: device.label, role: device.role };
      database.audit.append({ at, actor: actorOf(identity), action: 'device.revoke', target: id, detail });
    });
    log.info({ deviceId: id }, 'a device was revoked');
    auth.announce();
  }

  #find(id: string): DeviceRecord {
    const device = this.#options.auth.liveDevices().find((candidate) => candidate.id === id);
    if (!device) throw new AppError('not_found', 'There is no such device, or it was revoked before.');
    return device;
  }

  #refuseLastAdmin(id: string): void {
    const others = this.#options.auth
      .liveDevices()
      .filter((device) => device.role === 'admin' && device.id !== id);
    if (others.length > 0) return;
    throw new AppError('last_admin', 'This is the last admin: make another device admin first.');
  }
}

function shown(device: DeviceRecord, identity: Identity): ListedDevice {
  const { id, label, role, createdAt, lastSeenAt } = device;
  return {
    id,
    label,
    role,
    createdAt,
    lastSeenAt,
    current: identity.kind === 'device' && identity.id === id,
  };
}
