import type { HeldByKind, StoredDay, StoredKind, StoredPart } from '../../data/types.ts';
import type { StorageWishes } from '../../data/storage-wishes.ts';
import { formatBytes, formatDate, plural } from '../../ui/format.ts';

/** Sizes that are offered; any other can be typed. */
export const BUDGETS_MB = [10, 25, 50, 100, 250] as const;
/** A fleet's last 24 h must have room; past a terabyte nobody means it. */
const BUDGET_MB = { min: 1, max: 100_000 } as const;
const MB = 1_000_000;

/** What the kinds are called here. */
export const KIND_WORDS: Readonly<Record<StoredKind, string>> = {
  activity: 'activity',
  'perf-5m': 'charts',
  'model-events': 'events',
};

/** A cell of the grid, for whoever does not see it. */
export const HELD_WORDS: Readonly<Record<StoredPart['held'], string>> = {
  all: 'here',
  part: 'in part',
  none: 'not here',
  nothing: 'nothing',
};

/** Noon of a day, `YYYY-MM-DD`, in this device's zone: inside it whatever the clocks do. */
export function noonOf(day: string): number {
  return new Date(`${day}T12:00:00`).getTime();
}

/** Parts of the bar, largest kinds first in a fixed order; `share` is of the budget, or of what is held where that is more. */
export function barParts(
  held: HeldByKind,
  budgetBytes: number,
): readonly { readonly kind: StoredKind; readonly bytes: number; readonly share: number }[] {
  const kinds: readonly StoredKind[] = ['activity', 'perf-5m', 'model-events'];
  const total = kinds.reduce((sum, kind) => sum + held[kind], 0);
  const whole = Math.max(total, budgetBytes);
  return kinds.map((kind) => ({ kind, bytes: held[kind], share: held[kind] / whole }));
}

/** `30 days, back to 31 Oct`; null while nothing is held. */
export function backWords(stored: readonly StoredDay[], now: number): string | null {
  const held = stored.filter(({ heldBytes }) => heldBytes > 0);
  const oldest = held.at(-1);
  if (oldest === undefined) return null;
  return `${plural(held.length, 'day')}, back to ${formatDate(noonOf(oldest.day), now)}`;
}

/** A typed budget in MB as bytes, or what is wrong with it. */
export function parseBudget(text: string): { readonly bytes: number } | { readonly problem: string } {
  const megabytes = Number(text.trim().replace(/\s*MB$/i, ''));
  if (text.trim() === '' || !Number.isFinite(megabytes))
    return { problem: 'A number of megabytes, such as 75.' };
  if (megabytes < BUDGET_MB.min)
    return { problem: `At least ${BUDGET_MB.min} MB: the last day must have room.` };
  if (megabytes > BUDGET_MB.max) return { problem: `At most ${BUDGET_MB.max.toLocaleString('en-US')} MB.` };
  return { bytes: Math.round(megabytes * MB) };
}

/** Bytes as megabytes without the unit, for a column of them: little is never nothing. */
export function megabyteWords(bytes: number): string {
  if (bytes === 0) return '0';
  return bytes < MB / 20 ? '<0.1' : (bytes / MB).toFixed(1);
}

/** What can be done with a day, and what is true of it. */
export interface DayView {
  readonly isPinned: boolean;
  /** It is fetched as soon as the collector is back. */
  readonly isWanted: boolean;
  /** Why it cannot be pinned; null when it can. */
  readonly pinBlock: string | null;
  /** Null: all of it is here. */
  readonly fetch: 'now' | 'when back' | 'waits' | null;
  readonly canRemove: boolean;
}

/** Decides what is offered for a day. The last 24 h are always kept, so today cannot be taken off. */
export function dayView(
  day: StoredDay,
  facts: {
    readonly stored: readonly StoredDay[];
    readonly wishes: StorageWishes;
    readonly isLive: boolean;
    readonly today: string;
  },
): DayView {
  const { stored, wishes, isLive, today } = facts;
  const isPinned = wishes.pinnedDays.includes(day.day);
  const isWanted = wishes.wantedDays.includes(day.day);
  const isWhole = day.parts.every(({ held }) => held === 'all' || held === 'nothing');
  const pinnedBytes = stored
    .filter((other) => other.day === day.day || wishes.pinnedDays.includes(other.day))
    .reduce((sum, { bytes }) => sum + bytes, 0);
  const isTooMuch = !isPinned && pinnedBytes > wishes.budgetBytes;
  return {
    isPinned,
    isWanted,
    pinBlock: isTooMuch
      ? `Pinned days would take ${formatBytes(pinnedBytes)} of ${formatBytes(wishes.budgetBytes)}: raise the budget first.`
      : null,
    fetch: isWhole ? null : isWanted ? 'waits' : isLive ? 'now' : 'when back',
    canRemove: day.heldBytes > 0 && !isPinned && day.day !== today,
  };
}
