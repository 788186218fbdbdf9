import type { ActivityGap, ActivityRow } from '#shared/schemas/activity.ts';
import { closeGap, covers, listingGaps, restartGaps } from './activity-gaps.ts';
import {
  ascendingById,
  tailOf,
  type ActivityListing,
  type ActivitySync,
  type ObservationContext,
} from './activity-held.ts';
import { missingIn, subtractId } from './id-ranges.ts';
import type { ActivityCursor, ObservedActivity } from './ports.ts';

/** Newest rows kept for the overlap check: a listing always holds the newest, so a few hundred suffice. */
const OVERLAP_ROWS = 256;

/** New rows and gaps with their epoch, ascending, and what is held now. */
export interface ActivityOutcome {
  readonly sync: ActivitySync;
  readonly rows: readonly ActivityRow[];
  /** `all`: ids restarted, the whole listing is needed. `due`: rows are missing that a listing may still hold. */
  readonly needsListing: 'no' | 'due' | 'all';
}

/** Starts from what the store holds. */
export function openActivitySync(cursor: ActivityCursor): ActivitySync {
  const recent = cursor.recent.slice(-OVERLAP_ROWS);
  const [first, last] = [recent[0], recent.at(-1)];
  return {
    idEpoch: cursor.idEpoch,
    lastId: cursor.lastId,
    lastEndedAt: cursor.lastEndedAt,
    startsAt: null,
    recent,
    // A hole not looked into before a crash is looked into now. Where its gap is written already, the store knows it.
    missing:
      first && last
        ? missingIn(
            [{ fromId: first.id, toId: last.id }],
            recent.map((row) => row.id),
          )
        : [],
    pendingGap: null,
  };
}

/** Takes rows from the event stream (≤ v235): in any order, doubled, with some left out. */
export function observeStreamRows(
  sync: ActivitySync,
  observed: readonly ObservedActivity[],
  context: ObservationContext,
): ActivityOutcome {
  const rows = ascendingById(observed);
  if (conflicts(sync.recent, rows)) return { sync, rows: [], needsListing: 'all' };
  const fresh = rows.filter((row) => isNew(sync, row.id));
  let missing = sync.missing;
  let tail = tailOf(sync);
  for (const { id } of fresh) {
    missing = subtractId(missing, id);
    if (tail !== null && id > tail + 1) missing = [...missing, { fromId: tail + 1, toId: id - 1 }];
    tail = Math.max(tail ?? id, id);
  }
  const outcome = accept({ ...sync, missing }, { fresh, gaps: [], context });
  return { ...outcome, needsListing: missing.length > 0 ? 'due' : 'no' };
}

/** Takes a listing: what it no longer holds of the ids since the last one seen is a gap. */
export function observeListing(
  sync: ActivitySync,
  listing: ActivityListing,
  context: ObservationContext,
): ActivityOutcome {
  const rows = ascendingById(listing.rows);
  const restarted = idsRestarted(sync, { ...listing, rows });
  if (restarted && listing.afterId !== null) return { sync, rows: [], needsListing: 'all' };
  const begun = sync.lastId === null && rows.length === 0 && listing.complete;
  const known = begun ? { ...sync, startsAt: sync.startsAt ?? listing.firstId } : sync;
  const base = restarted ? nextEpoch(sync, rows, { ...listing, hostId: context.hostId }) : known;
  const fresh = rows.filter((row) => isNew(base, row.id));
  const view = { rows, listing, context };
  const gaps = [...(restarted ? restartGaps(sync, view) : []), ...listingGaps(base, view)];
  const maxId = rows.at(-1)?.id ?? -1;
  const missing = base.missing.filter((range) => !covers(listing, range, maxId));
  return accept({ ...base, missing }, { fresh, gaps, context });
}

function isNew(sync: ActivitySync, id: number): boolean {
  if (sync.lastId === null || id > sync.lastId) return true;
  return sync.missing.some((range) => range.fromId <= id && id <= range.toId);
}

/**
 * Same id, same request: by what stays equal between stream, listing and store in every era. Hosts since v236 tell the
 * second only, and a host may restart within one, so the numbers count too, where both sides know them.
 */
function isSame(a: ObservedActivity, b: ObservedActivity): boolean {
  return (
    a.id === b.id &&
    a.modelId === b.modelId &&
    a.endedAt === b.endedAt &&
    agree(a.durationMs, b.durationMs) &&
    agree(a.inputTokens, b.inputTokens) &&
    agree(a.outputTokens, b.outputTokens)
  );
}

function agree(a: number | null, b: number | null): boolean {
  return a === null || b === null || a === b;
}

function conflicts(held: readonly ObservedActivity[], rows: readonly ObservedActivity[]): boolean {
  const [first, last] = [rows[0], held.at(-1)];
  if (!first || !last || first.id > last.id) return false;
  const heldById = new Map(held.map((row) => [row.id, row]));
  return rows.some((row) => {
    const known = heldById.get(row.id);
    return known !== undefined && !isSame(known, row);
  });
}

function idsRestarted(sync: ActivitySync, listing: ActivityListing): boolean {
  if (sync.lastId === null) return false;
  const maxId = listing.rows.at(-1)?.id;
  if (maxId === undefined) return listing.complete;
  return maxId < sync.lastId || conflicts(sync.recent, listing.rows);
}

/** The host counts from the start again. Rows it kept (a restored store) are held already and not taken twice. */
function nextEpoch(
  sync: ActivitySync,
  rows: readonly ObservedActivity[],
  {
    hostId,
    unwatched,
    firstId,
  }: { readonly hostId: string; readonly unwatched: boolean; readonly firstId: number },
): ActivitySync {
  const heldById = new Map(sync.recent.map((row) => [row.id, row]));
  const kept = rows.filter((row) => {
    const known = heldById.get(row.id);
    return known !== undefined && isSame(known, row);
  });
  const last = kept.at(-1);
  return {
    idEpoch: sync.idEpoch + 1,
    lastId: last?.id ?? null,
    lastEndedAt: last?.endedAt ?? sync.lastEndedAt,
    startsAt: firstId,
    recent: kept,
    missing: [],
    pendingGap: unwatched
      ? {
          type: 'gap',
          hostId,
          idEpoch: sync.idEpoch,
          fromId: sync.lastId === null ? null : sync.lastId + 1,
          toId: null,
          from: sync.lastEndedAt,
          reason: 'host_restarted',
        }
      : sync.pendingGap,
  };
}

interface Accepted {
  readonly fresh: readonly ObservedActivity[];
  readonly gaps: readonly ActivityGap[];
  readonly context: ObservationContext;
}

function accept(sync: ActivitySync, { fresh, gaps, context }: Accepted): ActivityOutcome {
  const requests: ActivityRow[] = fresh.map((row) => ({
    ...row,
    type: 'request',
    hostId: context.hostId,
    idEpoch: sync.idEpoch,
  }));
  const first = fresh[0];
  const pending = first && sync.pendingGap ? [closeGap(sync.pendingGap, first.endedAt)] : [];
  const recent = recentWith(sync.recent, fresh);
  const newest = fresh.at(-1);
  const advanced = newest !== undefined && newest.id > (sync.lastId ?? -1);
  return {
    sync: {
      ...sync,
      recent,
      lastId: advanced ? newest.id : sync.lastId,
      lastEndedAt: advanced ? newest.endedAt : sync.lastEndedAt,
      pendingGap: first ? null : sync.pendingGap,
    },
    rows: [
      ...pending,
      ...[...requests, ...gaps].sort((a, b) => a.idEpoch - b.idEpoch || sortId(a) - sortId(b)),
    ],
    needsListing: 'no',
  };
}

function recentWith(
  recent: readonly ObservedActivity[],
  fresh: readonly ObservedActivity[],
): readonly ObservedActivity[] {
  const [last, first] = [recent.at(-1), fresh[0]];
  if (!first) return recent;
  const both = [...recent, ...fresh];
  return (last && last.id > first.id ? ascendingById(both) : both).slice(-OVERLAP_ROWS);
}

function sortId(row: ActivityRow): number {
  return row.type === 'request' ? row.id : (row.fromId ?? -1);
}
