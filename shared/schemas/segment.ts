import * as z from 'zod/mini';
import { contentHash, epochMs } from './ids.ts';

/** Kinds of sealed history in the manifest; `perf-5m` are samples of machines and cards, five minutes each. */
export const segmentKind = z.enum(['activity', 'model-events', 'perf-5m']);

/** More runs of receipt numbers than this are not listed: such a segment is then fetched, whatever a device holds. */
export const SEGMENT_MAX_RUNS = 16;

/**
 * A sealed, immutable blob as the fleet document's `segment/<kind>/<key>` entry lists it. `key` is the UTC receipt hour
 * or day with a part number: `2026-11-30T14.0`, `2026-11-30.0`. `from`…`to` bound the rows' own times (both inclusive).
 * `seqs` are the receipt numbers its rows were given, as pairs of first and last, ascending. Within a generation a number
 * is given once and a row only ever goes away, so two sets of segments over the same numbers, with as many rows, hold the
 * same rows.
 */
export const segmentEntry = z.object({
  kind: segmentKind,
  key: z.string().check(z.maxLength(64)),
  rows: z.int(),
  bytes: z.int(),
  hash: contentHash,
  from: epochMs,
  to: epochMs,
  seqs: z.optional(z.array(z.int()).check(z.maxLength(2 * SEGMENT_MAX_RUNS))),
});
/** See {@link segmentEntry}. */
export type SegmentEntry = z.infer<typeof segmentEntry>;
