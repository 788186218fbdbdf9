import { z } from 'zod';
import { epochMs, hostId, modelId } from './ids.ts';

/**
 * One request that ended on a host. Its identity is (hostId, idEpoch, id): ids restart with a host's process, and
 * `idEpoch` counts those restarts. Unknown values are null, never 0 or −1. `inputTokens` are the newly evaluated ones
 * for llama.cpp and all of them for servers that report usage only.
 */
export const activityRequest = z.object({
  type: z.literal('request'),
  hostId,
  idEpoch: z.number().int().min(0),
  id: z.number().int().min(0),
  modelId,
  path: z.string().nullable(),
  endedAt: epochMs,
  status: z.number().int().nullable(),
  inputTokens: z.number().int().nullable(),
  outputTokens: z.number().int().nullable(),
  cachedTokens: z.number().int().nullable(),
  promptPerSecond: z.number().nullable(),
  tokensPerSecond: z.number().nullable(),
  durationMs: z.number().int().nullable(),
  hasCapture: z.boolean(),
  error: z.string().nullable(),
  source: z.string().nullable(),
});
/** See {@link activityRequest}. */
export type ActivityRequest = z.infer<typeof activityRequest>;

/** Why rows are missing between `fromId` and `toId`. */
export const gapReason = z.enum(['ring_wrapped', 'host_restarted', 'backfill_limit', 'not_listed']);
/** See {@link gapReason}. */
export type GapReason = z.infer<typeof gapReason>;

/**
 * Rows of a host that Drover knows it does not have: ids `fromId`…`toId` inclusive (null: not known how many), that
 * ended between `from` and `to`. It stands in the feed at `endedAt` (= `to`).
 */
export const activityGap = z.object({
  type: z.literal('gap'),
  hostId,
  idEpoch: z.number().int().min(0),
  fromId: z.number().int().nullable(),
  toId: z.number().int().nullable(),
  from: epochMs.nullable(),
  to: epochMs,
  reason: gapReason,
  endedAt: epochMs,
});
/** See {@link activityGap}. */
export type ActivityGap = z.infer<typeof activityGap>;

/** A row of the activity feed. */
export const activityRow = z.discriminatedUnion('type', [activityRequest, activityGap]);
/** See {@link activityRow}. */
export type ActivityRow = z.infer<typeof activityRow>;

/** Status classes of the filter; rows of hosts too old to report a status belong to none. */
export const statusClass = z.enum(['2xx', '3xx', '4xx', '5xx']);

/** A whole number as it stands in an address. Not coerced: `from=` is a mistake, not the year 1970. */
const wholeNumber = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^-?[0-9]{1,16}$/)
        .transform(Number),
    ],
    { error: 'must be a whole number' },
  )
  .pipe(z.number().int());

/** Query of `GET /api/activity`: newest first by end time, `from` ≤ endedAt < `to`. */
export const activityQuery = z.strictObject({
  hostId: hostId.optional(),
  modelId: modelId.optional(),
  statusClass: statusClass.optional(),
  path: z.string().max(2048).optional(),
  q: z.string().max(200).optional(),
  from: wholeNumber.optional(),
  to: wholeNumber.optional(),
  source: z.string().max(512).optional(),
  limit: wholeNumber.pipe(z.number().min(1).max(500)).default(100),
  cursor: z.string().max(512).optional(),
});
/** See {@link activityQuery}. */
export type ActivityQuery = z.infer<typeof activityQuery>;

/** A page of the feed; `nextCursor` is null at the end. */
export const activityPage = z.object({ rows: z.array(activityRow), nextCursor: z.string().nullable() });
/** See {@link activityPage}. */
export type ActivityPage = z.infer<typeof activityPage>;
