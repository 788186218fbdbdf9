import type { SegmentEntry } from '#shared/schemas/segment.ts';
import type { HeldByKind, StoredDay, StoredKind, StoredPart } from '../types.ts';
import { MAX_DAYS, shareOf } from './history-days.ts';
import { daysBetween } from './local-day.ts';
import type { HeldSegment } from './storage-plan.ts';

/** Kinds of sealed history, in the order they are shown. */
export const STORED_KINDS: readonly StoredKind[] = ['activity', 'perf-5m', 'model-events'];

interface PartSum {
  bytes: number;
  heldBytes: number;
  segments: number;
  held: number;
}

/**
 * Days of the device's zone that the manifest has anything of, newest first, not beyond `now`, and how much of each kind
 * is held. A segment that reaches over midnight counts for each day by its share of time.
 */
export function storedDays(
  listed: readonly SegmentEntry[],
  isHeld: (entry: SegmentEntry) => boolean,
  now: number,
): readonly StoredDay[] {
  const sums = new Map<string, Map<StoredKind, PartSum>>();
  for (const entry of listed) {
    for (const day of daysBetween(entry.from, Math.min(entry.to, now), MAX_DAYS)) {
      const kinds = sums.get(day) ?? new Map<StoredKind, PartSum>();
      const sum = kinds.get(entry.kind) ?? { bytes: 0, heldBytes: 0, segments: 0, held: 0 };
      const bytes = entry.bytes * shareOf(entry, day);
      sum.bytes += bytes;
      sum.segments += 1;
      if (isHeld(entry)) {
        sum.held += 1;
        sum.heldBytes += bytes;
      }
      kinds.set(entry.kind, sum);
      sums.set(day, kinds);
    }
  }
  return [...sums]
    .map(([day, kinds]): StoredDay => {
      const parts = STORED_KINDS.map((kind) => partOf(kind, kinds.get(kind)));
      const add = (of: (part: StoredPart) => number): number =>
        parts.reduce((sum, part) => sum + of(part), 0);
      return { day, parts, bytes: add(({ bytes }) => bytes), heldBytes: add(({ heldBytes }) => heldBytes) };
    })
    .sort((a, b) => (a.day < b.day ? 1 : -1));
}

/** Bytes of what is held, by kind. */
export function heldByKind(held: readonly HeldSegment[]): HeldByKind {
  const sum = (wanted: StoredKind): number =>
    held.reduce((bytes, segment) => bytes + (segment.kind === wanted ? segment.bytes : 0), 0);
  return {
    activity: sum('activity'),
    'perf-5m': sum('perf-5m'),
    'model-events': sum('model-events'),
  };
}

function partOf(kind: StoredKind, sum: PartSum | undefined): StoredPart {
  if (sum === undefined) return { kind, bytes: 0, heldBytes: 0, held: 'nothing' };
  const { segments, held } = sum;
  return {
    kind,
    bytes: Math.round(sum.bytes),
    heldBytes: Math.round(sum.heldBytes),
    held: held === 0 ? 'none' : held === segments ? 'all' : 'part',
  };
}
