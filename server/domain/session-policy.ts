import type { DeviceRecord } from './access-ports.ts';

const DAY_MS = 86_400_000;
/** A session that nobody used for this long is over. */
export const SESSION_IDLE_MS = 90 * DAY_MS;
/** A session ends at this age, used or not. */
export const SESSION_MAX_MS = 365 * DAY_MS;
/** A code made on the command line is good for this long. */
export const CLI_CODE_MS = 10 * 60_000;
/** Use is written down at most this often: a write for every request would be a sync to disk for every request. */
export const TOUCH_EVERY_MS = 60_000;

/** When the device's session ends if nothing more is heard of it. */
export function sessionEndsAt(device: Pick<DeviceRecord, 'createdAt' | 'lastSeenAt'>): number {
  return Math.min(device.lastSeenAt + SESSION_IDLE_MS, device.createdAt + SESSION_MAX_MS);
}
