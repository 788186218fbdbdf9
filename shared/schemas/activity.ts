import { _default as withDefault } from 'zod/mini';
import * as z from 'zod/mini';
import { epochMs, hostId, modelId } from './ids.ts';
import { flag, oneOrMany, wholeNumber } from './query.ts';

/**
 * How sure the source of a request is. `exact`: the host's own record of that request names it. `matched`: every request
 * seen running that can have been this one came from it. `unknown`: there is none to name.
 */
export const sourceCertainty = z.enum(['exact', 'matched', 'unknown']);
/** See {@link sourceCertainty}. */
export type SourceCertainty = z.infer<typeof sourceCertainty>;

/**
 * One request that ended on a host. Its identity is (hostId, idEpoch, id): ids restart with a host's process, and
 * `idEpoch` counts those restarts. Unknown values are null, never 0 or −1. `inputTokens` are the newly evaluated ones
 * for llama.cpp and all of them for servers that report usage only.
 */
export const activityRequest = z.object({
  type: z.literal('request'),
  hostId,
  idEpoch: z.int().check(z.minimum(0)),
  id: z.int().check(z.minimum(0)),
  modelId,
  path: z.nullable(z.string()),
  endedAt: epochMs,
  status: z.nullable(z.int()),
  inputTokens: z.nullable(z.int()),
  outputTokens: z.nullable(z.int()),
  cachedTokens: z.nullable(z.int()),
  promptPerSecond: z.nullable(z.number()),
  tokensPerSecond: z.nullable(z.number()),
  durationMs: z.nullable(z.int()),
  hasCapture: z.boolean(),
  error: z.nullable(z.string()),
  /** Who asked: a name the caller gave (`X-Drover-Source`, a session header), else its address (`ip:…`, `xff:…`). */
  source: z.nullable(z.string()),
  sourceCertainty: withDefault(sourceCertainty, 'unknown'),
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
  idEpoch: z.int().check(z.minimum(0)),
  fromId: z.nullable(z.int()),
  toId: z.nullable(z.int()),
  from: z.nullable(epochMs),
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

/** What of the activity is asked for: `from` ≤ endedAt < `to`; an empty `source` stands for rows without one. */
const activityFilter = {
  hostId: z.optional(oneOrMany(hostId)),
  modelId: z.optional(oneOrMany(modelId)),
  statusClass: z.optional(statusClass),
  /** A status of 400 or more, or an error text. */
  failed: z.optional(flag),
  path: z.optional(z.string().check(z.maxLength(2048))),
  q: z.optional(z.string().check(z.maxLength(200))),
  from: z.optional(wholeNumber),
  to: z.optional(wholeNumber),
  source: z.optional(oneOrMany(z.string().check(z.maxLength(512)))),
};

/** Query of `GET /api/activity`: newest first by end time. */
export const activityQuery = z.strictObject({
  ...activityFilter,
  limit: withDefault(z.pipe(wholeNumber, z.number().check(z.minimum(1), z.maximum(500))), 100),
  cursor: z.optional(z.string().check(z.maxLength(512))),
});
/** See {@link activityQuery}. */
export type ActivityQuery = z.infer<typeof activityQuery>;

/** Query of `GET /api/activity/summary`. */
export const activitySummaryQuery = z.strictObject(activityFilter);
/** See {@link activitySummaryQuery}. */
export type ActivitySummaryQuery = z.infer<typeof activitySummaryQuery>;

/** A choice of a filter, and how many requests it would show beside the other filters as they are. */
export const optionCount = z.object({ value: z.string(), count: z.int() });
/** See {@link optionCount}. */
export type OptionCount = z.infer<typeof optionCount>;

/** What a source asked for. `source` is empty for unknown; token sums are of the rows that tell theirs, null: none does. */
export const sourceSum = z.object({
  source: z.string(),
  requests: z.int(),
  failed: z.int(),
  inputTokens: z.nullable(z.int()),
  outputTokens: z.nullable(z.int()),
  /** How sure the source is, in requests. */
  exact: z.int(),
  matched: z.int(),
});
/** See {@link sourceSum}. */
export type SourceSum = z.infer<typeof sourceSum>;

/** Counts of what matches, and of what each choice of a filter would match, the most frequent first; at most 200 of each. */
export const activitySummary = z.object({
  requests: z.int(),
  failed: z.int(),
  gaps: z.int(),
  hosts: z.array(optionCount),
  models: z.array(optionCount),
  sources: z.array(optionCount),
  bySource: z.array(sourceSum),
});
/** See {@link activitySummary}. */
export type ActivitySummary = z.infer<typeof activitySummary>;

/** A page of the feed; `nextCursor` is null at the end. */
export const activityPage = z.object({ rows: z.array(activityRow), nextCursor: z.nullable(z.string()) });
/** See {@link activityPage}. */
export type ActivityPage = z.infer<typeof activityPage>;
