import type { Role } from '#shared/schemas/auth.ts';
import type { Host } from '#shared/schemas/host.ts';
import type { InFlight } from '#shared/schemas/in-flight.ts';
import type { Model } from '#shared/schemas/model.ts';
import { needsYou } from '../../data/intents/needs-you.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import { formatAge, formatMoment, plural } from '../../ui/format.ts';
import type { GlyphName, Hue } from '../../ui/glyph.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { NAV_ITEMS, SETTINGS_PAGES } from '../frame/nav-items.ts';
import type { ActDraft } from '../intents/act-drafts.ts';
import {
  cancelRequestDraft,
  loadDraft,
  pauseDraft,
  resumeDraft,
  unloadAllDraft,
  unloadDraft,
} from '../intents/act-drafts.ts';
import { cutBy } from '../intents/act-need.ts';
import { briefOutcome } from '../intents/intent-outcome.ts';
import { intentLook } from '../intents/intent-state.ts';
import { intentTitleOn } from '../intents/intent-words.ts';

/** What choosing an entry does. */
export type PaletteRun =
  | { readonly do: 'act'; readonly draft: ActDraft }
  | { readonly do: 'go'; readonly to: PaletteAddress };

/** A page of the app. */
export type PaletteAddress =
  | { readonly to: '/' | '/activity' | '/outbox' | '/settings' }
  | { readonly to: '/outbox'; readonly search: { readonly id: string } }
  | {
      readonly to: '/settings/$section';
      readonly params: { readonly section: (typeof SETTINGS_PAGES)[number]['section'] };
    }
  | {
      readonly to: '/hosts/$hostId';
      readonly params: { readonly hostId: string };
      readonly search: { readonly q?: string };
    };

/** The groups, in their order. */
export const PALETTE_GROUPS = ['Needs you', 'Actions', 'Hosts', 'Models', 'Pages'] as const;

/** One line of the palette. */
export interface PaletteItem {
  readonly key: string;
  readonly group: (typeof PALETTE_GROUPS)[number];
  readonly label: string;
  /** State and age, or why it cannot be chosen. */
  readonly detail: string;
  readonly shape: { readonly glyph: GlyphName; readonly hue: Hue } | { readonly icon: IconName } | null;
  readonly unavailable: string | null;
  readonly run: PaletteRun;
}

/** What the palette knows. */
export interface PaletteFacts {
  readonly now: number;
  readonly hosts: readonly Host[];
  readonly models: readonly Model[];
  readonly inFlight: readonly InFlight[];
  readonly entries: readonly IntentEntry[];
  readonly role: Role | null;
  /** Why this device cannot act; null when it can. */
  readonly actBlock: string | null;
  readonly isLive: boolean;
  /** Collector time of what is shown while it is away. */
  readonly asOf: number | null;
}

/** A group shows no more than this: what is further down is found by typing on. */
const MAX_IN_GROUP = 8;
const AT_REST = ['stopped', 'shutdown'];
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

function actionItems(facts: PaletteFacts): readonly PaletteItem[] {
  const { hosts, models } = facts;
  const byId = new Map(hosts.map((host) => [host.id, host]));
  return [
    ...models.flatMap((model) => {
      const host = byId.get(model.hostId);
      return host === undefined || model.peerId !== null ? [] : [modelAction(model, host, facts)];
    }),
    ...hosts.flatMap((host) => hostActions(host, facts)),
    ...requestActions(facts),
  ];
}

function modelAction(model: Model, host: Host, facts: PaletteFacts): PaletteItem {
  const isLoaded = !AT_REST.includes(model.state);
  const draft = (isLoaded ? unloadDraft : loadDraft)(host.id, model.modelId);
  return action(
    draft,
    host,
    facts,
    isLoaded ? runsWords(host, model.modelId, facts) : stateWords(model, facts),
  );
}

function hostActions(host: Host, facts: PaletteFacts): readonly PaletteItem[] {
  const since = stampWords(facts);
  const pause = host.paused
    ? action(resumeDraft(host.id), host, facts, since)
    : action(pauseDraft(host.id), host, facts, since);
  return [action(unloadAllDraft(host.id), host, facts, runsWords(host, null, facts)), pause];
}

function requestActions(facts: PaletteFacts): readonly PaletteItem[] {
  const { hosts, inFlight } = facts;
  return inFlight.flatMap(({ hostId, requests }) => {
    const host = hosts.find(({ id }) => id === hostId);
    if (host === undefined) return [];
    return (requests ?? []).map(({ id, modelId, source }) =>
      action(
        cancelRequestDraft(hostId, modelId, id),
        host,
        facts,
        `${modelId}, ${source ?? 'source unknown'}`,
      ),
    );
  });
}

function action(draft: ActDraft, host: Host, facts: PaletteFacts, words: string): PaletteItem {
  const subject = { kind: draft.kind, target: draft.target, params: { ...draft.params } };
  const parts = [words, facts.isLive ? '' : 'will queue'].filter((part) => part !== '');
  return {
    key: `act ${JSON.stringify([draft.kind, draft.target, draft.params])}`,
    group: 'Actions',
    label: intentTitleOn(subject, host.label),
    detail: facts.actBlock ?? parts.join(', '),
    shape: null,
    unavailable: facts.actBlock,
    run: { do: 'act', draft },
  };
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

function hostWords(host: Host, facts: PaletteFacts): string {
  const state = host.paused ? 'paused' : host.liveness === 'connected' ? 'live' : host.liveness;
  const age = formatAge(facts.now - host.since);
  return facts.isLive ? `${state} ${age}` : `was ${state}, ${stampWords(facts)}`;
}

function stateWords(model: Model, facts: PaletteFacts): string {
  if (!facts.isLive) return `was ${model.state}, ${stampWords(facts)}`;
  if (model.failedStart !== null && AT_REST.includes(model.state)) return 'failed to start';
  return model.since === null ? model.state : `${model.state} ${formatAge(facts.now - model.since)}`;
}

function runsWords(host: Host, modelId: string | null, facts: PaletteFacts): string {
  const { count } = cutBy(
    {
      host,
      models: facts.models,
      inFlight: facts.inFlight.find(({ hostId }) => hostId === host.id) ?? null,
      isLive: facts.isLive,
    },
    modelId,
  );
  if (count === null) return 'running requests not known';
  return count === 0 ? 'idle' : `${plural(count, 'request').replace(/ requests?$/, '')} running`;
}

function stampWords({ asOf, now, isLive }: PaletteFacts): string {
  if (isLive) return '';
  return asOf === null ? 'not known since when' : `as of ${formatMoment(asOf, now)}`;
}

function labelOf(hosts: readonly Host[], hostId: string): string {
  return hosts.find(({ id }) => id === hostId)?.label ?? hostId;
}
