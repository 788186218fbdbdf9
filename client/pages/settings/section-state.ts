import { assertNever } from '#shared/lib/assert.ts';
import { healthSummary } from '#shared/lib/health-words.ts';
import type { Host } from '#shared/schemas/host.ts';
import type { Health } from '#shared/schemas/info.ts';
import type { ConnectionState, PersistOutcome, Session } from '../../data/types.ts';
import { formatBytes } from '../../ui/format.ts';
import type { Preferences } from '../../ui/preferences.ts';
import type { SettingsSection } from '../frame/nav-items.ts';

interface SectionFacts {
  readonly session: Session;
  readonly connection: ConnectionState;
  readonly preferences: Preferences;
  readonly hosts: readonly Host[];
  readonly heldBytes: number;
  readonly budgetBytes: number;
  readonly persist: PersistOutcome;
  /** The last report of the collector; null: none was seen. */
  readonly health: Health | null;
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
      return healthState(facts.health);
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

function healthState(health: Health | null): string {
  if (health === null) return 'what the collector says of itself';
  return `${health.status}: ${healthSummary(health.checks ?? [])}`;
}

function storageState({ connection, heldBytes, budgetBytes, persist }: SectionFacts): string {
  if (connection.storage === 'insecure') return 'needs https';
  if (connection.storage === 'not-saved') return 'not saved on this device';
  return `${formatBytes(heldBytes)} of ${formatBytes(budgetBytes)}${persist === 'granted' ? ', kept by promise' : ''}`;
}
