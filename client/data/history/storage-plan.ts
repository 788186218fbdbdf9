import type { SegmentEntry } from '#shared/schemas/segment.ts';

/** A segment in this device's store. */
export interface HeldSegment {
  readonly hash: string;
  readonly kind: string;
  readonly rows: number;
  readonly bytes: number;
  readonly from: number;
  readonly to: number;
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
}

/** What is fetched without being asked. */
export const EAGER_MS = 24 * 3_600_000;
/** How far back a device keeps history by itself. */
export const KEEP_MS = 30 * 24 * 3_600_000;
/** How much history a device keeps. */
export const BUDGET_BYTES = 50 * 1024 * 1024;
/** Share of the budget that asked-for days may take; past it the one asked for first goes. */
const PINNED_BYTES = BUDGET_BYTES / 2;

/**
 * Decides what to fetch and what to drop. A blob that the manifest no longer lists (merged into a day, or past
 * retention) goes only when no listed segment of its time is still missing: its rows must not be away in between.
 */
export function planStorage({ listed, held, now }: StorageFacts): StoragePlan {
  if (listed === null) return { eager: [], background: [], drop: [] };
  const heldHashes = new Set(held.map(({ hash }) => hash));
  const listedHashes = new Set(listed.map(({ hash }) => hash));
  const newestFirst = [...listed].sort((a, b) => b.to - a.to || (a.key < b.key ? 1 : -1));
  const missing = newestFirst.filter(({ hash }) => !heldHashes.has(hash));
  const orphans = held.filter(({ hash }) => !listedHashes.has(hash));
  const dropped = new Set(
    orphans.filter((orphan) => !missing.some((entry) => covers(entry, orphan))).map(({ hash }) => hash),
  );
  const kept = held.filter(({ hash }) => !dropped.has(hash));
  let pinnedBytes = 0;
  for (const segment of [...kept].sort((a, b) => (b.pinnedAt ?? 0) - (a.pinnedAt ?? 0))) {
    if (segment.pinnedAt === null || segment.to >= now - EAGER_MS) continue;
    pinnedBytes += segment.bytes;
    if (pinnedBytes > PINNED_BYTES) dropped.add(segment.hash);
  }
  let bytes = Math.min(pinnedBytes, PINNED_BYTES);
  const eager: SegmentEntry[] = [];
  const background: SegmentEntry[] = [];
  for (const entry of [...missing, ...kept.filter(isUnpinned)].sort((a, b) => b.to - a.to)) {
    const wanted = entry.to >= now - KEEP_MS && bytes + entry.bytes <= BUDGET_BYTES;
    const isHeld = heldHashes.has(entry.hash);
    if (wanted) bytes += entry.bytes;
    if (isHeld && !wanted) dropped.add(entry.hash);
    if (isHeld || !wanted || !('key' in entry)) continue;
    (entry.to >= now - EAGER_MS ? eager : background).push(entry);
  }
  return { eager, background, drop: [...dropped] };
}

function isUnpinned(segment: HeldSegment): boolean {
  return segment.pinnedAt === null;
}

/** True when rows of `orphan` may stand in `entry` now. */
function covers(entry: SegmentEntry, orphan: HeldSegment): boolean {
  return entry.kind === orphan.kind && entry.from <= orphan.to && entry.to >= orphan.from;
}
