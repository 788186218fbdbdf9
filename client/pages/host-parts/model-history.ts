import type { ModelEvent } from '#shared/schemas/model.ts';

/** How far back load times and the timeline look. */
export const HISTORY_MS = 30 * 24 * 3_600_000;
/** Percentiles of fewer loads than this say more than is known. */
export const MIN_LOADS = { p50: 5, p95: 20 } as const;
/** Days of which swaps are counted. */
const DAYS = 7;
/** llama-swap starts the next model when the one before is gone: both come in one message, or in two right after each other. */
const SWAP_MS = 1_000;

/** A transition of a model as its timeline shows it. */
export interface HistoryEntry {
  readonly at: number;
  /** The state it went to; `failed`: a start that ended without ready; `swapped-out`: it made room for `other`. */
  readonly kind: 'ready' | 'starting' | 'stopping' | 'stopped' | 'failed' | 'swapped-out' | 'other';
  /** llama-swap's word, where `kind` is `other`. */
  readonly state: string;
  /** How long the load took, or how long it had been ready; null: not seen from its beginning. */
  readonly tookMs: number | null;
  /** The change itself was seen; else only that it was so at `at`. */
  readonly isSeen: boolean;
  /** It was called off: stopped before it was ready, and nothing failed. */
  readonly isCalledOff: boolean;
  readonly other: string | null;
  readonly reason: string | null;
  /** Log lines around a failed start; null: they did not come with it. */
  readonly lines: readonly string[] | null;
}

/** Times from starting to ready, of loads that were seen whole. Percentiles are null below {@link MIN_LOADS}. */
export interface LoadTimes {
  readonly count: number;
  /** Loads whose start was not seen. */
  readonly uncounted: number;
  readonly lastMs: number | null;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** A day of the device's zone, with what was seen to happen; counts are null where this device does not see that far back. */
export interface SwapDay {
  readonly from: number;
  readonly loads: number | null;
  readonly swaps: number | null;
}

/** What a model's transitions tell. */
export interface ModelHistory {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  readonly loads: LoadTimes;
  /** Oldest first; today is the last. */
  readonly days: readonly SwapDay[];
}

/**
 * Reads one model's history out of its host's transitions, oldest first: of the others it takes who was loaded when this
 * one had to go. `from` is how far back they are whole.
 */
export function modelHistory(
  events: readonly ModelEvent[],
  { modelId, from, now }: { readonly modelId: string; readonly from: number | null; readonly now: number },
): ModelHistory {
  const entries: HistoryEntry[] = [];
  const loadTimes: number[] = [];
  let uncounted = 0;
  let before: ModelEvent | undefined;
  const swappedFor = swapFinder(events, modelId);
  for (const event of events) {
    if (event.modelId !== modelId) continue;
    const tookMs = spanSince(before, event);
    if (event.to === 'ready') {
      if (tookMs === null) uncounted += 1;
      else loadTimes.push(tookMs);
    }
    entries.push(entryOf(event, tookMs, swappedFor(event)));
    // How long it was ready is told when it is gone, not when it begins to go.
    const stillCounts = event.to === 'stopping' && event.from === 'ready' && before?.to === 'ready';
    if (!stillCounts) before = event;
  }
  return {
    entries: entries.toReversed(),
    loads: { ...percentiles(loadTimes), uncounted, lastMs: loadTimes.at(-1) ?? null },
    days: swapDays(entries, from, now),
  };
}

/** How long what ends with this event lasted: a start, or being ready; null where either end was not seen. */
function spanSince(before: ModelEvent | undefined, event: ModelEvent): number | null {
  if (before === undefined || before.from === null || event.from === null) return null;
  const isLoad = before.to === 'starting' && event.from === 'starting';
  const isEnd = before.to === 'ready' && event.to === 'stopped';
  return isLoad || isEnd ? Math.max(0, event.at - before.at) : null;
}

function entryOf(event: ModelEvent, tookMs: number | null, other: string | null): HistoryEntry {
  const isCalledOff = event.from === 'starting' && event.to === 'stopped' && event.reason === null;
  return {
    at: event.at,
    kind: kindOf(event, other),
    state: event.to,
    tookMs,
    isSeen: event.from !== null,
    isCalledOff,
    other,
    reason: event.reason,
    lines: event.lines ?? null,
  };
}

function kindOf({ to, reason }: ModelEvent, other: string | null): HistoryEntry['kind'] {
  if (to === 'stopped' && reason !== null) return 'failed';
  if (other !== null) return 'swapped-out';
  switch (to) {
    case 'ready':
    case 'starting':
    case 'stopping':
    case 'stopped':
      return to;
    default:
      return 'other';
  }
}

/**
 * Finds the model that was loaded in place of one that went; null: it made room for none. Nothing on the wire says why a
 * model stops. Asked in the order of time.
 */
function swapFinder(events: readonly ModelEvent[], modelId: string): (gone: ModelEvent) => string | null {
  const starts = events.filter(
    (event) => event.to === 'starting' && event.from !== null && event.modelId !== modelId,
  );
  let first = 0;
  return (gone) => {
    if (gone.to !== 'stopped' || (gone.from !== 'stopping' && gone.from !== 'ready')) return null;
    while ((starts[first]?.at ?? Number.POSITIVE_INFINITY) < gone.at - SWAP_MS) first += 1;
    const next = starts[first];
    return next !== undefined && next.at <= gone.at + SWAP_MS ? next.modelId : null;
  };
}

/** Nearest rank: a time that really was. */
function percentiles(times: readonly number[]): Pick<LoadTimes, 'count' | 'p50Ms' | 'p95Ms'> {
  const sorted = times.toSorted((a, b) => a - b);
  const rank = (share: number): number | null => sorted[Math.ceil(share * sorted.length) - 1] ?? null;
  return {
    count: sorted.length,
    p50Ms: sorted.length < MIN_LOADS.p50 ? null : rank(0.5),
    p95Ms: sorted.length < MIN_LOADS.p95 ? null : rank(0.95),
  };
}

function swapDays(entries: readonly HistoryEntry[], seenFrom: number | null, now: number): SwapDay[] {
  const today = new Date(now);
  const midnight = (ago: number): number =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - ago).getTime();
  return Array.from({ length: DAYS }, (_, index) => {
    const ago = DAYS - 1 - index;
    const [from, to] = [midnight(ago), midnight(ago - 1)];
    if (seenFrom === null || seenFrom >= to) return { from, loads: null, swaps: null };
    const ofDay = entries.filter(({ at }) => at >= from && at < to);
    const count = (kind: HistoryEntry['kind']): number =>
      ofDay.filter((entry) => entry.kind === kind && entry.isSeen).length;
    return { from, loads: count('ready'), swaps: count('swapped-out') };
  });
}
