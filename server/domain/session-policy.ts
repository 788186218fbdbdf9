import type { DeviceRecord } from './access-ports.ts';

const DAY_MS = 86_400_000;
/** A session that nobody used for this long is over. */
export const SESSION_IDLE_MS = 90 * DAY_MS;
/** A session ends at this age, used or not. */
export const SESSION_MAX_MS = 365 * DAY_MS;
/** Use is written down this often, of all devices and keys at once: a write for each request would sync the disk each time. */
export const TOUCH_EVERY_MS = 60_000;

/** When the device's session ends if nothing more is heard of it. */
export function sessionEndsAt(device: Pick<DeviceRecord, 'createdAt' | 'lastSeenAt'>): number {
  return Math.min(device.lastSeenAt + SESSION_IDLE_MS, device.createdAt + SESSION_MAX_MS);
}

/** True while the device's session opens anything. */
export function isLive(
  device: Pick<DeviceRecord, 'createdAt' | 'lastSeenAt' | 'revokedAt'>,
  now: number,
): boolean {
  return device.revokedAt === null && now < sessionEndsAt(device);
}
