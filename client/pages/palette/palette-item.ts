import type { Role } from '#shared/schemas/auth.ts';
import type { Host } from '#shared/schemas/host.ts';
import type { InFlight } from '#shared/schemas/in-flight.ts';
import type { Model } from '#shared/schemas/model.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import type { SavedView } from '../../data/saved-views.ts';
import type { GlyphName, Hue } from '../../ui/glyph.tsx';
import type { IconName } from '../../ui/icon.tsx';
import type { ActivitySearch } from '../activity/activity-search.ts';
import type { SETTINGS_PAGES } from '../frame/nav-items.ts';
import type { ActDraft } from '../intents/act-drafts.ts';

/** What choosing an entry does. */
export type PaletteRun =
  | { readonly do: 'act'; readonly draft: ActDraft }
  | { readonly do: 'go'; readonly to: PaletteAddress };

/** A page of the app. */
export type PaletteAddress =
  | { readonly to: '/' | '/activity' | '/logs' | '/outbox' | '/settings' }
  | { readonly to: '/activity'; readonly search: ActivitySearch }
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
export const PALETTE_GROUPS = ['Needs you', 'Actions', 'Hosts', 'Models', 'Pages', 'Saved views'] as const;

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
  readonly views: readonly SavedView[];
  readonly role: Role | null;
  /** Why this device cannot act; null when it can. */
  readonly actBlock: string | null;
  readonly isLive: boolean;
  /** Collector time of what is shown while it is away. */
  readonly asOf: number | null;
}
