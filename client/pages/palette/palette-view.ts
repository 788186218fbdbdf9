import type { Host } from '#shared/schemas/host.ts';
import type { Model } from '#shared/schemas/model.ts';
import { needsYou } from '../../data/intents/needs-you.ts';
import type { SavedView } from '../../data/saved-views.ts';
import type { GlyphName, Hue } from '../../ui/glyph.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { parseActivitySearch } from '../activity/activity-search.ts';
import { NAV_ITEMS, SETTINGS_PAGES } from '../frame/nav-items.ts';
import { briefOutcome } from '../intents/intent-outcome.ts';
import { intentLook } from '../intents/intent-state.ts';
import { intentTitleOn } from '../intents/intent-words.ts';
import { actionItems } from './palette-actions.ts';
import { PALETTE_GROUPS } from './palette-item.ts';
import type { PaletteAddress, PaletteFacts, PaletteItem } from './palette-item.ts';
import { AT_REST, hostWords, labelOf, stateWords } from './palette-words.ts';

/** A group shows no more than this: what is further down is found by typing on. */
const MAX_IN_GROUP = 8;
const HOST_LOOKS: Readonly<Record<Host['liveness'], { readonly glyph: GlyphName; readonly hue: Hue }>> = {
  connected: { glyph: 'live', hue: 'ready' },
  reconnecting: { glyph: 'reconnecting', hue: 'warn' },
  asleep: { glyph: 'asleep', hue: 'sleep' },
  down: { glyph: 'down', hue: 'bad' },
  unauthorized: { glyph: 'unauthorized', hue: 'key' },
  incompatible: { glyph: 'incompatible', hue: 'odd' },
};

/** What a query finds, group by group, the best of each first; without a query what is asked for most. */
export function paletteItems(query: string, facts: PaletteFacts): readonly PaletteItem[] {
  const words = wordsOf(query);
  const found = new Map<PaletteItem['group'], { readonly item: PaletteItem; readonly rank: number }[]>();
  for (const item of candidates(facts, words.length > 0)) {
    const rank = rankOf(words, item);
    if (rank === null) continue;
    const list = found.get(item.group) ?? [];
    list.push({ item, rank });
    found.set(item.group, list);
  }
  return PALETTE_GROUPS.flatMap((group) =>
    (found.get(group) ?? [])
      .sort((one, other) => one.rank - other.rank)
      .slice(0, MAX_IN_GROUP)
      .map(({ item }) => item),
  );
}

/** Every word of the query begins a word of the entry; the earlier they stand in it the better. Null: it is not meant. */
function rankOf(words: readonly string[], { label, detail }: PaletteItem): number | null {
  const inLabel = wordsOf(label);
  const inDetail = wordsOf(detail);
  let rank = 0;
  for (const word of words) {
    const at = inLabel.findIndex((other) => other.startsWith(word));
    const inside = label.toLowerCase().includes(word) && word.length > 2 && !isVerb(word);
    if (at >= 0) rank += at;
    else if (inDetail.some((other) => other.startsWith(word))) rank += 50;
    else if (inside) rank += 20;
    else return null;
  }
  return rank;
}

/** "load" is no part of "unload": a verb has to be meant as a word. */
function isVerb(word: string): boolean {
  return 'load'.startsWith(word);
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function candidates(facts: PaletteFacts, isTyped: boolean): readonly PaletteItem[] {
  return [
    ...troubleItems(facts),
    ...askingItems(facts),
    // Without a query there would be hundreds.
    ...(isTyped ? actionItems(facts) : []),
    ...facts.hosts.map((host) => hostItem(host, facts)),
    ...(isTyped ? facts.models.map((model) => modelItem(model, facts)) : []),
    ...pageItems(facts),
    ...facts.views.map(viewItem),
  ];
}

function askingItems({ entries, hosts, now }: PaletteFacts): readonly PaletteItem[] {
  return entries.filter(needsYou).map((entry) => ({
    key: `asks ${entry.id}`,
    group: 'Needs you',
    label: intentTitleOn(entry, labelOf(hosts, entry.target.hostId ?? '')),
    detail: briefOutcome(entry, { now }),
    shape: intentLook(entry.state),
    unavailable: null,
    run: { do: 'go', to: { to: '/outbox', search: { id: entry.id } } },
  }));
}

const HOST_TROUBLE: Partial<Readonly<Record<Host['liveness'], readonly [now: string, then: string]>>> = {
  down: ['is down', 'was down'],
  unauthorized: ['refuses the key', 'refused the key'],
  incompatible: ['is not supported', 'was not supported'],
};

function troubleItems(facts: PaletteFacts): readonly PaletteItem[] {
  return facts.hosts.flatMap((host): readonly PaletteItem[] => {
    const words = HOST_TROUBLE[host.liveness];
    if (words === undefined || host.paused) return [];
    const item = hostItem(host, facts);
    return [
      {
        ...item,
        key: `trouble ${host.id}`,
        group: 'Needs you',
        label: `${host.label} ${facts.isLive ? words[0] : words[1]}`,
      },
    ];
  });
}

function hostItem(host: Host, facts: PaletteFacts): PaletteItem {
  const look = host.paused ? { glyph: 'paused' as const, hue: 'off' as const } : HOST_LOOKS[host.liveness];
  return {
    key: `host ${host.id}`,
    group: 'Hosts',
    label: host.label,
    detail: hostWords(host, facts),
    shape: facts.isLive ? look : { ...look, hue: 'stale' },
    unavailable: null,
    run: { do: 'go', to: { to: '/hosts/$hostId', params: { hostId: host.id }, search: {} } },
  };
}

function modelItem(model: Model, facts: PaletteFacts): PaletteItem {
  const isReady = model.state === 'ready';
  return {
    key: `model ${model.hostId} ${model.modelId}`,
    group: 'Models',
    label: `${model.modelId} on ${labelOf(facts.hosts, model.hostId)}`,
    detail: stateWords(model, facts),
    shape: {
      glyph: isReady ? 'ready' : AT_REST.includes(model.state) ? 'stopped' : 'unknown',
      hue: isReady && facts.isLive ? 'ready' : 'off',
    },
    unavailable: null,
    run: {
      do: 'go',
      to: { to: '/hosts/$hostId', params: { hostId: model.hostId }, search: { q: model.modelId } },
    },
  };
}

function viewItem(view: SavedView): PaletteItem {
  return {
    key: `view ${view.name}`,
    group: 'Saved views',
    label: view.name,
    detail: 'Activity',
    shape: { icon: 'filter' },
    unavailable: null,
    run: {
      do: 'go',
      to: { to: '/activity', search: parseActivitySearch({ ...view.search, view: view.name }) },
    },
  };
}

function pageItems({ role }: PaletteFacts): readonly PaletteItem[] {
  const page = (label: string, icon: IconName, to: PaletteAddress): PaletteItem => ({
    key: `page ${label}`,
    group: 'Pages',
    label,
    detail: '',
    shape: { icon },
    unavailable: null,
    run: { do: 'go', to },
  });
  return [
    ...NAV_ITEMS.map(({ label, icon, to }) => page(label, icon, { to })),
    ...SETTINGS_PAGES.filter(({ admin }) => !admin || role === 'admin').map(({ title, icon, section }) =>
      page(title, icon, { to: '/settings/$section', params: { section } }),
    ),
  ];
}
