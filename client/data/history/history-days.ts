import type { SegmentEntry } from '#shared/schemas/segment.ts';
import type { HistoryDay } from '../types.ts';
import { dayBounds, daysBetween } from './local-day.ts';

/** A year of retention and a little more: a host's clock that is far off must not make a list without end. */
export const MAX_DAYS = 400;

interface DaySum {
  rows: number;
  bytes: number;
  held: number;
  segments: number;
}

/** Days of the device's zone that the manifest has activity of, newest first, not beyond `now`. */
export function historyDays(
  listed: readonly SegmentEntry[],
  isHeld: (entry: SegmentEntry) => boolean,
  now: number,
): readonly HistoryDay[] {
  const sums = new Map<string, DaySum>();
  for (const entry of listed) {
    if (entry.kind !== 'activity') continue;
    for (const day of daysBetween(entry.from, Math.min(entry.to, now), MAX_DAYS)) {
      const share = shareOf(entry, day);
      const sum = sums.get(day) ?? { rows: 0, bytes: 0, held: 0, segments: 0 };
      sum.rows += entry.rows * share;
      sum.bytes += entry.bytes * share;
      sum.segments += 1;
      if (isHeld(entry)) sum.held += 1;
      sums.set(day, sum);
    }
  }
  return [...sums]
    .map(([day, sum]) => ({
      day,
      rows: Math.round(sum.rows),
      bytes: Math.round(sum.bytes),
      held: heldWord(sum),
    }))
    .sort((a, b) => (a.day < b.day ? 1 : -1));
}

/** Listed segments with rows of a day, of one kind or of all. */
export function segmentsOfDay(
  listed: readonly SegmentEntry[],
  day: string,
  only?: SegmentEntry['kind'],
): readonly SegmentEntry[] {
  const bounds = dayBounds(day);
  if (!bounds) return [];
  return listed.filter(
    ({ kind, from, to }) => (only === undefined || kind === only) && from < bounds.to && to >= bounds.from,
  );
}

/** Which part of a segment's time lies in a day: 0 to 1. */
export function shareOf(entry: SegmentEntry, day: string): number {
  const bounds = dayBounds(day);
  if (!bounds || entry.to <= entry.from) return 1;
  const overlap = Math.min(entry.to, bounds.to) - Math.max(entry.from, bounds.from);
  return Math.max(0, overlap) / (entry.to - entry.from);
}

function heldWord(sum: DaySum): HistoryDay['held'] {
  if (sum.held === 0) return 'none';
  return sum.held === sum.segments ? 'all' : 'part';
}
