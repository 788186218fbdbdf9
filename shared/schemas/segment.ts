import * as z from 'zod/mini';
import { contentHash, epochMs } from './ids.ts';

/** Kinds of sealed history in the manifest. `perf-5m` comes with the performance poller. */
export const segmentKind = z.enum(['activity', 'model-events', 'perf-5m']);

/**
 * A sealed, immutable blob as the fleet document's `segment/<kind>/<key>` entry lists it. `key` is the UTC receipt hour
 * or day with a part number: `2026-11-30T14.0`, `2026-11-30.0`. `from`…`to` bound the rows' own times (both inclusive).
 */
export const segmentEntry = z.object({
  kind: segmentKind,
  key: z.string().check(z.maxLength(64)),
  rows: z.int(),
  bytes: z.int(),
  hash: contentHash,
  from: epochMs,
  to: epochMs,
});
/** See {@link segmentEntry}. */
export type SegmentEntry = z.infer<typeof segmentEntry>;
