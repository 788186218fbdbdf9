import type { SegmentEntry } from '#shared/schemas/segment.ts';
import { standIns } from '#sync/segment-cover.ts';

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
}

/** What is fetched without being asked. */
export const EAGER_MS = 24 * 3_600_000;
/** How far back a device keeps history by itself. */
export const KEEP_MS = 30 * 24 * 3_600_000;
/** How much history a device keeps. */
export const BUDGET_BYTES = 50_000_000;
/** Share of the budget that asked-for days may take; past it the one asked for first goes. */
const PINNED_BYTES = BUDGET_BYTES / 2;

/** What is kept or dropped as one: a segment, or those that stand in for a merged one. */
interface Unit {
  readonly hashes: readonly string[];
  readonly bytes: number;
  readonly to: number;
  readonly pinnedAt: number | null;
}

/**
 * Decides what to fetch and what to drop. A merged segment whose rows are all here in others is not fetched: they stand in
 * for it, and are as old as it. Another blob that the manifest no longer lists (merged, or past retention) goes only when
 * no listed segment of its time is still missing: its rows must not be away in between.
 */
export function planStorage({ listed, held, now }: StorageFacts): StoragePlan {
  if (listed === null) return { eager: [], background: [], drop: [] };
  const heldHashes = new Set(held.map(({ hash }) => hash));
  const listedHashes = new Set(listed.map(({ hash }) => hash));
  const missing: SegmentEntry[] = [];
  const groups: Unit[] = [];
  for (const entry of [...listed].sort((a, b) => b.to - a.to || (a.key < b.key ? 1 : -1))) {
    if (heldHashes.has(entry.hash)) continue;
    const parts = standIns(entry, held);
    if (parts) groups.push(unitOf(parts, entry.to));
    else missing.push(entry);
  }
  const standing = new Set(groups.flatMap(({ hashes }) => hashes));
  const alone = held.filter(({ hash }) => !standing.has(hash));
  const orphans = alone.filter(({ hash }) => !listedHashes.has(hash));
  const dropped = new Set(
    orphans.filter((orphan) => !missing.some((entry) => covers(entry, orphan))).map(({ hash }) => hash),
  );
  const kept = alone.filter(({ hash }) => !dropped.has(hash)).map((segment) => unitOf([segment], segment.to));
  const units = [...kept, ...groups];
  const drop = (unit: Unit): void => {
    for (const hash of unit.hashes) dropped.add(hash);
  };
  let pinnedBytes = 0;
  for (const unit of [...units].sort((a, b) => (b.pinnedAt ?? 0) - (a.pinnedAt ?? 0))) {
    if (unit.pinnedAt === null || unit.to >= now - EAGER_MS) continue;
    pinnedBytes += unit.bytes;
    if (pinnedBytes > PINNED_BYTES) drop(unit);
  }
  let bytes = Math.min(pinnedBytes, PINNED_BYTES);
  const eager: SegmentEntry[] = [];
  const background: SegmentEntry[] = [];
  const unpinned = units.filter(({ pinnedAt }) => pinnedAt === null);
  for (const item of [...missing, ...unpinned].sort((a, b) => b.to - a.to)) {
    const wanted = item.to >= now - KEEP_MS && bytes + item.bytes <= BUDGET_BYTES;
    if (wanted) bytes += item.bytes;
    if ('hashes' in item) {
      if (!wanted) drop(item);
    } else if (wanted) {
      (item.to >= now - EAGER_MS ? eager : background).push(item);
    }
  }
  return { eager, background, drop: [...dropped] };
}

function unitOf(segments: readonly HeldSegment[], to: number): Unit {
  const pins = segments.flatMap(({ pinnedAt }) => pinnedAt ?? []);
  return {
    hashes: segments.map(({ hash }) => hash),
    bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
    to,
    pinnedAt: pins.length > 0 ? Math.max(...pins) : null,
  };
}

/** True when rows of `orphan` may stand in `entry` now. */
function covers(entry: SegmentEntry, orphan: HeldSegment): boolean {
  return entry.kind === orphan.kind && entry.from <= orphan.to && entry.to >= orphan.from;
}
