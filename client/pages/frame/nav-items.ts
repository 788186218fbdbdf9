import type { IconName } from '../../ui/icon.tsx';

/** Pages of the rail and the bottom bar. Only what exists: a page joins when it is built. */
export const NAV_ITEMS = [
  { to: '/', label: 'Fleet', icon: 'fleet' },
  { to: '/activity', label: 'Activity', icon: 'activity' },
  { to: '/logs', label: 'Logs', icon: 'logs' },
  { to: '/outbox', label: 'Outbox', icon: 'outbox' },
  { to: '/settings', label: 'Settings', icon: 'settings' },
] as const satisfies readonly { readonly to: string; readonly label: string; readonly icon: IconName }[];

/** Settings pages, for the list of the settings page and the phone's "More" sheet. */
export const SETTINGS_PAGES = [
  { section: 'device', group: 'This device', title: 'Appearance', icon: 'settings', admin: false },
  { section: 'keyboard', group: 'This device', title: 'Keyboard', icon: 'keyboard', admin: false },
  { section: 'storage', group: 'This device', title: 'Storage', icon: 'storage', admin: false },
  { section: 'hosts', group: 'Fleet', title: 'Hosts', icon: 'fleet', admin: false },
  { section: 'devices', group: 'Fleet', title: 'Devices', icon: 'phone', admin: false },
  { section: 'keys', group: 'Fleet', title: 'API keys', icon: 'key', admin: true },
  { section: 'health', group: 'Collector', title: 'Health', icon: 'heart', admin: false },
  { section: 'https', group: 'Collector', title: 'Phone and https', icon: 'lock', admin: false },
  { section: 'about', group: 'Collector', title: 'About', icon: 'info', admin: false },
] as const satisfies readonly {
  readonly section: string;
  readonly group: string;
  readonly title: string;
  readonly icon: IconName;
  readonly admin: boolean;
}[];

/** Name of a settings page in its address. */
export type SettingsSection = (typeof SETTINGS_PAGES)[number]['section'];

/** The section an address names, or null when there is none of that name. */
export function parseSection(text: string): SettingsSection | null {
  return SETTINGS_PAGES.find((page) => page.section === text)?.section ?? null;
}
