import { assertNever } from '#shared/lib/assert.ts';
import type { Host } from '#shared/schemas/host.ts';
import type { ConnectionState, HistoryDay, Session } from '../../data/types.ts';
import { formatBytes, plural } from '../../ui/format.ts';
import type { Preferences } from '../../ui/preferences.ts';
import type { SettingsSection } from '../frame/nav-items.ts';

interface SectionFacts {
  readonly session: Session;
  readonly connection: ConnectionState;
  readonly preferences: Preferences;
  readonly hosts: readonly Host[];
  readonly days: readonly HistoryDay[];
}

/** What stands under a section's name in the list: its state, in a few words. */
export function sectionState(section: SettingsSection, facts: SectionFacts): string {
  switch (section) {
    case 'device':
      return `${facts.session.device?.label ?? 'not paired'} · ${facts.preferences.theme} theme`;
    case 'keyboard':
      return facts.preferences.shortcuts ? 'on' : 'off';
    case 'storage':
      return storageState(facts);
    case 'hosts': {
      const live = facts.hosts.filter((host) => host.liveness === 'connected' && !host.paused).length;
      const isLive = facts.connection.kind === 'live';
      return `${facts.hosts.length}, ${live} ${isLive ? 'live' : live === 1 ? 'was live' : 'were live'}`;
    }
    case 'devices':
      return 'who is let in, and as what';
    case 'keys':
      return 'for scripts';
    case 'health':
      return 'what the collector says of itself';
    case 'https':
      return globalThis.location.protocol === 'https:'
        ? 'this address is encrypted'
        : globalThis.location.host;
    case 'about':
      return 'version, licences';
    default:
      return assertNever(section);
  }
}

function storageState({ connection, days }: SectionFacts): string {
  if (connection.storage === 'insecure') return 'needs https';
  if (connection.storage === 'not-saved') return 'not saved on this device';
  const held = days.filter((day) => day.held !== 'none');
  return `${plural(held.length, 'day')}, ${formatBytes(heldBytes(days))}`;
}

/** Compressed size of the history on this device; of a day that is held in part, half is taken. */
export function heldBytes(days: readonly HistoryDay[]): number {
  return days.reduce((sum, day) => {
    if (day.held === 'none') return sum;
    return sum + (day.held === 'all' ? day.bytes : Math.round(day.bytes / 2));
  }, 0);
}
