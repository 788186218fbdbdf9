import type { SegmentEntry } from '#shared/schemas/segment.ts';
import { standIns } from '#sync/segment-cover.ts';
import { liesMostlyIn, touches } from './day-spans.ts';
import type { TimeSpan } from './day-spans.ts';

/** A segment in this device's store. */
export interface HeldSegment {
  readonly hash: string;
  readonly kind: string;
  readonly rows: number;
  readonly bytes: number;
  readonly from: number;
  readonly to: number;
  /** Receipt numbers of its rows, as in the manifest. */
  readonly seqs?: readonly number[] | undefined;
  /** When a person asked for its day; null when the app fetched it by itself. */
  readonly pinnedAt: number | null;
}

/** What to do with the store. */
export interface StoragePlan {
  /** Wanted at once: the last 24 h. */
  readonly eager: readonly SegmentEntry[];
  /** Wanted when there is time, newest first. */
  readonly background: readonly SegmentEntry[];
  readonly drop: readonly string[];
}

/** What {@link planStorage} decides from. */
export interface StorageFacts {
  /** The manifest; null while it is not known, then nothing is fetched or dropped. */
  readonly listed: readonly SegmentEntry[] | null;
  readonly held: readonly HeldSegment[];
  readonly now: number;
  /** How much this device keeps. */
  readonly budgetBytes: number;
  /** Kept whatever their age, and past the budget when they alone are more. */
  readonly pinned?: readonly TimeSpan[];
  /** Taken off this device: neither fetched nor kept, but for the last 24 h and what is pinned. */
  readonly skipped?: readonly TimeSpan[];
}

/** What is fetched without being asked. */
export const EAGER_MS = 24 * 3_600_000;
/** How far back a device keeps history by itself. */
export const KEEP_MS = 30 * 24 * 3_600_000;
/** Share of the budget that days somebody looked at may take; past it the one looked at first goes. */
const LOOKED_AT_SHARE = 0.5;

/** What is kept or dropped as one: a segment, or those that stand in for a merged one. */
interface Unit {
  readonly hashes: readonly string[];
  readonly bytes: number;
  readonly from: number;
  readonly to: number;
  readonly pinnedAt: number | null;
}

/**
 * Decides what to fetch and what to drop. A merged segment whose rows are all here in others is not fetched: they stand in
 * for it, and are as old as it. Another blob that the manifest no longer lists (merged, or past retention) goes only when
 * no listed segment of its time is still missing: its rows must not be away in between. Past the budget the oldest go
 * first, pinned days never.
 */
export function planStorage({
  listed,
  held,
  now,
  budgetBytes,
  pinned = [],
  skipped = [],
}: StorageFacts): StoragePlan {
  if (listed === null) return { eager: [], background: [], drop: [] };
  const heldHashes = new Set(held.map(({ hash }) => hash));
  const listedHashes = new Set(listed.map(({ hash }) => hash));
  const missing: SegmentEntry[] = [];
  const groups: Unit[] = [];
  for (const entry of [...listed].sort((a, b) => b.to - a.to || (a.key < b.key ? 1 : -1))) {
    if (heldHashes.has(entry.hash)) continue;
    const parts = standIns(entry, held);
    if (parts) groups.push(unitOf(parts, entry));
    else missing.push(entry);
  }
  const standing = new Set(groups.flatMap(({ hashes }) => hashes));
  const alone = held.filter(({ hash }) => !standing.has(hash));
  const orphans = alone.filter(({ hash }) => !listedHashes.has(hash));
  const dropped = new Set(
    orphans.filter((orphan) => !missing.some((entry) => covers(entry, orphan))).map(({ hash }) => hash),
  );
  const kept = alone.filter(({ hash }) => !dropped.has(hash)).map((segment) => unitOf([segment], segment));
  const units = [...kept, ...groups];
  const drop = (unit: Unit): void => {
    for (const hash of unit.hashes) dropped.add(hash);
  };
  const isPinned = (item: TimeSpan): boolean => touches(item, pinned);
  const isRecent = (item: TimeSpan): boolean => item.to >= now - EAGER_MS;
  const isSkipped = (item: TimeSpan): boolean =>
    !isRecent(item) && !isPinned(item) && liesMostlyIn(item, skipped);
  let bytes = [...missing, ...units].reduce((sum, item) => sum + (isPinned(item) ? item.bytes : 0), 0);
  const lookedAt = units.filter((unit) => unit.pinnedAt !== null && !isPinned(unit) && !isRecent(unit));
  const looksBytes = Math.max(0, Math.min(budgetBytes * LOOKED_AT_SHARE, budgetBytes - bytes));
  let lookedBytes = 0;
  for (const unit of lookedAt.sort((a, b) => (b.pinnedAt ?? 0) - (a.pinnedAt ?? 0))) {
    if (isSkipped(unit) || lookedBytes + unit.bytes > looksBytes) drop(unit);
    else lookedBytes += unit.bytes;
  }
  bytes += lookedBytes;
  const counted = new Set<Unit>(lookedAt);
  const eager: SegmentEntry[] = [];
  const background: SegmentEntry[] = [];
  const open = units.filter((unit) => !counted.has(unit));
  // From the first that has no room on, nothing older has any: a small old day is no reason for a hole before it.
  let isFull = false;
  for (const item of [...missing, ...open].sort((a, b) => b.to - a.to)) {
    const isMeant = !isSkipped(item) && item.to >= now - KEEP_MS;
    const isKept = isMeant && !isFull && bytes + item.bytes <= budgetBytes;
    if (isMeant && !isKept && !isPinned(item) && !isRecent(item)) isFull = true;
    if (isKept && !isPinned(item)) bytes += item.bytes;
    const isWanted = isKept || isPinned(item);
    if ('hashes' in item) {
      if (!isWanted) drop(item);
    } else if (isWanted) {
      (isRecent(item) ? eager : background).push(item);
    }
  }
  return { eager, background, drop: [...dropped] };
}

function unitOf(segments: readonly HeldSegment[], { from, to }: TimeSpan): Unit {
  const pins = segments.flatMap(({ pinnedAt }) => pinnedAt ?? []);
  return {
    hashes: segments.map(({ hash }) => hash),
    bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
    from,
    to,
    pinnedAt: pins.length > 0 ? Math.max(...pins) : null,
  };
}

/** True when rows of `orphan` may stand in `entry` now. */
function covers(entry: SegmentEntry, orphan: HeldSegment): boolean {
  return entry.kind === orphan.kind && entry.from <= orphan.to && entry.to >= orphan.from;
}
