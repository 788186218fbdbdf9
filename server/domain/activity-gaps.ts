import type { ActivityGap, GapReason } from '#shared/schemas/activity.ts';
import {
  ascendingById,
  tailOf,
  type ActivityListing,
  type ActivitySync,
  type ObservationContext,
} from './activity-held.ts';
import { missingIn, type IdRange } from './id-ranges.ts';
import type { ObservedActivity } from './ports.ts';

/** A listing with its rows in order. */
export interface ListingView {
  readonly rows: readonly ObservedActivity[];
  readonly listing: ActivityListing;
  readonly context: ObservationContext;
}

/** What a listing no longer holds of the ids it should. */
export function listingGaps(sync: ActivitySync, { rows, listing, context }: ListingView): ActivityGap[] {
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
export function restartGaps(sync: ActivitySync, { context }: ListingView): ActivityGap[] {
  return sync.missing.map((range) =>
    gapBetween(sync, { ...range, reason: 'host_restarted' }, { rows: [], context }),
  );
}

/** Whether a listing says something of a range: it lies above its start, and not above its newest row. */
export function covers(listing: ActivityListing, range: IdRange, newestId: number): boolean {
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

/** The gap with the end it was waiting for: the next row. */
export function closeGap(gap: NonNullable<ActivitySync['pendingGap']>, to: number): ActivityGap {
  const from = gap.from !== null && gap.from <= to ? gap.from : null;
  return { ...gap, from, to, endedAt: to };
}
