import * as z from 'zod/mini';
import { epochMs, hostId } from './ids.ts';
import { wholeNumber } from './query.ts';

const source = z.string().check(z.maxLength(256));

/** A kept line of a host's log, redacted, or a place where lines are missing. Times are the collector's; null: not known. */
export const keptLogEntry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('line'), source, at: z.nullable(epochMs), text: z.string() }),
  z.object({ type: z.literal('dropped'), source, at: z.nullable(epochMs), count: z.nullable(z.int()) }),
]);
/** See {@link keptLogEntry}. */
export type KeptLogEntry = z.infer<typeof keptLogEntry>;

/** Query of `GET /api/logs`: the newest page of lines up to `before`, or the page before the one that gave `cursor`. */
export const keptLogsQuery = z.strictObject({
  hostId,
  before: z.optional(wholeNumber),
  cursor: z.optional(wholeNumber),
});
/** See {@link keptLogsQuery}. */
export type KeptLogsQuery = z.infer<typeof keptLogsQuery>;

/** A page of kept lines, oldest first; `nextCursor` null: none are older. `keptFrom`: when the oldest kept line came. */
export const keptLogsPage = z.object({
  entries: z.array(keptLogEntry),
  nextCursor: z.nullable(z.int()),
  keptFrom: z.nullable(epochMs),
});
/** See {@link keptLogsPage}. */
export type KeptLogsPage = z.infer<typeof keptLogsPage>;
