import type { ListedDevice, Role } from '#shared/schemas/auth.ts';
import { roleAllows } from '#shared/schemas/auth.ts';
import type { Host } from '#shared/schemas/host.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import { formatAgo, formatMoment } from '../../ui/format.ts';
import { intentPlace } from '../intents/intent-state.ts';
import { intentTitleOn } from '../intents/intent-words.ts';

/** Seen this recently is now: the collector writes it down once a minute at most. */
const NOW_MS = 90_000;

const LAST_ADMIN = 'The last admin: make another device admin first';

/** What a role may do, for whoever chooses one. */
export const ROLE_MEANINGS: Readonly<Record<Role, string>> = {
  viewer: 'May look, not act.',
  operator: 'May look and act, not manage devices.',
  admin: 'May do everything: act, add hosts, let people in and out.',
};

/** When a device was last here: `now`, `14:10, 19 min ago`, `Sat 28 Nov, 22:14`. */
export function seenWords(device: Pick<ListedDevice, 'current' | 'lastSeenAt'>, now: number): string {
  const age = now - device.lastSeenAt;
  if (device.current || age < NOW_MS) return 'now';
  const moment = formatMoment(device.lastSeenAt, now);
  const ago = formatAgo(device.lastSeenAt, now);
  return ago === moment ? moment : `${moment}, ${ago}`;
}

/** What stands in the way of changing devices from here, in words; null when nothing does. */
export interface DeviceBlocks {
  readonly rename: string | null;
  readonly revoke: string | null;
  readonly role: (next: Role) => string | null;
}

/** Who the list is shown to, and whether anything can be changed now. */
export interface DeviceViewer {
  readonly role: Role | null;
  readonly isLive: boolean;
}

/** What may be done to `device`, one of `devices`: admins change all, everybody renames their own, one admin stays. */
export function deviceBlocks(
  device: ListedDevice,
  devices: readonly ListedDevice[],
  { role, isLive }: DeviceViewer,
): DeviceBlocks {
  const isAdmin = role !== null && roleAllows(role, 'admin');
  const offline = isLive ? null : 'This needs the collector';
  const admins = devices.filter((other) => other.role === 'admin');
  const isLast = device.role === 'admin' && admins.length === 1;
  const change = offline ?? (isAdmin ? null : 'Admins only');
  return {
    rename: offline ?? (isAdmin || device.current ? null : 'Admins only'),
    revoke: change ?? (isLast ? LAST_ADMIN : null),
    role: (next) => change ?? (isLast && next !== 'admin' ? LAST_ADMIN : null),
  };
}

/** So many actions are named one by one. */
const MAX_NAMED = 4;

/** What becomes of the actions of a device that is revoked, named as far as the collector knows them. */
export function queuedWords(
  deviceId: string,
  entries: readonly IntentEntry[],
  hosts: readonly Pick<Host, 'id' | 'label'>[],
): string {
  const open = entries.filter(
    ({ author, state }) => author.id === deviceId && intentPlace(state) === 'collector',
  );
  const title = (entry: IntentEntry): string =>
    intentTitleOn(entry, hosts.find(({ id }) => id === entry.target.hostId)?.label ?? entry.target.hostId);
  const isClaimed = ({ state }: IntentEntry): boolean => state === 'claimed' || state === 'running';
  const queued = open.filter((entry) => !isClaimed(entry)).map(title);
  const claimed = open.filter(isClaimed).map(title);
  const more = 'What it has not sent yet is refused too.';
  const refused =
    queued.length === 0
      ? 'What it still has queued is refused.'
      : `Still queued and then refused: ${named(queued)}. ${more}`;
  return claimed.length === 0
    ? `${refused} What the collector has already claimed goes on.`
    : `${refused} Already claimed, this goes on: ${named(claimed)}.`;
}

function named(titles: readonly string[]): string {
  const rest = titles.length - MAX_NAMED;
  return rest > 0 ? `${titles.slice(0, MAX_NAMED).join(', ')} and ${rest} more` : titles.join(', ');
}
