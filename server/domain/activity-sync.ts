import type { ActivityGap, ActivityRow, GapReason } from '#shared/schemas/activity.ts';
import { missingIn, subtractId, type IdRange } from './id-ranges.ts';
import type { ActivityCursor, ObservedActivity } from './ports.ts';

/** Newest rows kept for the overlap check: a listing always holds the newest, so a few hundred suffice. */
const OVERLAP_ROWS = 256;

/** What is held of a host's activity, as far as the next rows are judged by it. */
export interface ActivitySync {
  readonly idEpoch: number;
  /** Highest id held; null when this epoch has none. */
  readonly lastId: number | null;
  readonly lastEndedAt: number | null;
  /** Where the ids of an epoch without rows begin, once a listing was seen to be empty; null when not known. */
  readonly startsAt: number | null;
  /** Newest rows held, ascending by id. */
  readonly recent: readonly ObservedActivity[];
  /** Ids passed over on the stream, not yet known to be late or lost; ascending. */
  readonly missing: readonly IdRange[];
  /** A gap found with no row after it yet: it is written with the next row, so that a crash cannot write it twice. */
  readonly pendingGap: Omit<ActivityGap, 'to' | 'endedAt'> | null;
}

/** Where rows come from, and when they were looked at. */
export interface ObservationContext {
  readonly hostId: string;
  readonly now: number;
}

/** A listing of the host: every row it has with an id above `afterId` (null: all), unless `complete` is false. */
export interface ActivityListing {
  readonly rows: readonly ObservedActivity[];
  readonly complete: boolean;
  readonly afterId: number | null;
  /** The id the host gives its first row: 0 up to v235, 1 from v236. */
  readonly firstId: number;
  /** The host may have run unseen since the last row held: a restart may then have taken rows with it. */
  readonly unwatched: boolean;
}

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

function ascendingById(rows: readonly ObservedActivity[]): readonly ObservedActivity[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

function isNew(sync: ActivitySync, id: number): boolean {
  if (sync.lastId === null || id > sync.lastId) return true;
  return sync.missing.some((range) => range.fromId <= id && id <= range.toId);
}

/** The id after which the next one follows; null when it may be any. */
function tailOf(sync: ActivitySync): number | null {
  return sync.lastId ?? (sync.startsAt === null ? null : sync.startsAt - 1);
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

interface ListingView {
  readonly rows: readonly ObservedActivity[];
  readonly listing: ActivityListing;
  readonly context: ObservationContext;
}

function listingGaps(sync: ActivitySync, { rows, listing, context }: ListingView): ActivityGap[] {
  const oldest = rows[0];
  const newest = rows.at(-1);
  if (!oldest || !newest) return [];
  // On first contact nothing is known of what the host had before.
  const tail = tailOf(sync);
  const expected = sync.missing.filter((range) => covers(listing, range, newest.id));
  if (newest.id > (tail ?? -1)) expected.push({ fromId: (tail ?? oldest.id - 1) + 1, toId: newest.id });
  const below: GapReason = listing.complete ? 'ring_wrapped' : 'backfill_limit';
  const gaps = missingIn(
    expected,
    rows.map((row) => row.id),
  ).map((range) =>
    gapBetween(sync, { ...range, reason: range.toId < oldest.id ? below : 'not_listed' }, { rows, context }),
  );
  if (tail !== null || listing.complete) return gaps;
  const before = { fromId: null, toId: oldest.id - 1, reason: below };
  return [gapBetween(sync, before, { rows, context }), ...gaps];
}

/** Ids passed over before the host counted from the start again: no listing holds them any more. */
function restartGaps(sync: ActivitySync, { context }: ListingView): ActivityGap[] {
  return sync.missing.map((range) =>
    gapBetween(sync, { ...range, reason: 'host_restarted' }, { rows: [], context }),
  );
}

/** Whether a listing says something of a range: it lies above its start, and not above its newest row. */
function covers(listing: ActivityListing, range: IdRange, newestId: number): boolean {
  return range.fromId > (listing.afterId ?? -1) && range.fromId <= newestId;
}

function gapBetween(
  sync: ActivitySync,
  gap: { readonly fromId: number | null; readonly toId: number; readonly reason: GapReason },
  { rows, context }: Pick<ListingView, 'rows' | 'context'>,
): ActivityGap {
  const fromId = gap.fromId;
  // Its neighbours are the held rows as well: the same gap found twice has the same ends.
  const around = ascendingById([...sync.recent, ...rows]);
  const before = fromId === null ? undefined : around.findLast((row) => row.id < fromId);
  const after = around.find((row) => row.id > gap.toId);
  const to = after?.endedAt ?? context.now;
  // A host's clock may jump: an interval that runs backwards says nothing.
  const from = before && before.endedAt <= to ? before.endedAt : null;
  return { type: 'gap', hostId: context.hostId, idEpoch: sync.idEpoch, ...gap, from, to, endedAt: to };
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

function closeGap(gap: NonNullable<ActivitySync['pendingGap']>, to: number): ActivityGap {
  const from = gap.from !== null && gap.from <= to ? gap.from : null;
  return { ...gap, from, to, endedAt: to };
}

function sortId(row: ActivityRow): number {
  return row.type === 'request' ? row.id : (row.fromId ?? -1);
}
