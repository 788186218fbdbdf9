import type { SegmentEntry } from '#shared/schemas/segment.ts';
import { daysBetween } from './local-day.ts';
import type { TimeWindow } from './row-filter.ts';

const MAX_MISSING_DAYS = 62;

/** What coverage is judged by. */
export interface CoverageFacts {
  readonly listed: readonly SegmentEntry[] | null;
  readonly isHeld: (entry: SegmentEntry) => boolean;
  /** Time of the oldest row in the tail; null when it is empty. */
  readonly tailFrom: number | null;
  /** Rows of which kind; activity where it is left out. */
  readonly kind?: 'activity' | 'model-events';
}

/** How far back this device sees without a hole; null when it holds nothing. */
export function coveredFrom({ listed, isHeld, tailFrom, kind = 'activity' }: CoverageFacts): number | null {
  const segments = (listed ?? []).filter((entry) => entry.kind === kind);
  const holes = segments.filter((entry) => !isHeld(entry));
  const held = segments.filter((entry) => isHeld(entry));
  if (held.length === 0 && tailFrom === null) return null;
  if (holes.length > 0) return Math.max(...holes.map(({ to }) => to));
  return Math.min(...held.map(({ from }) => from), tailFrom ?? Number.POSITIVE_INFINITY);
}

/** Days inside `window` of which a listed segment is not held, newest first. */
export function missingDays(
  { listed, isHeld }: Pick<CoverageFacts, 'listed' | 'isHeld'>,
  window: TimeWindow,
): string[] {
  const days = new Set<string>();
  for (const entry of listed ?? []) {
    const { kind, from, to } = entry;
    if (kind !== 'activity' || isHeld(entry) || to < window.from || from >= window.to) continue;
    const last = Math.min(to, window.to - 1);
    for (const day of daysBetween(Math.max(from, window.from), last, MAX_MISSING_DAYS)) days.add(day);
  }
  return [...days].sort().toReversed();
}
