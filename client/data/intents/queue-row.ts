import * as z from 'zod/mini';
import { intentView } from '#shared/schemas/intent.ts';
import { cancelRecord, intentRecord } from '#shared/schemas/intent-request.ts';

const step = z.object({ state: z.string(), at: z.number(), by: z.string() });

/**
 * What this device knows of one intent; times are on its own clock. Rows without a record are about intents of others:
 * a wish to cancel, or that the person has read it.
 */
export const queueRow = z.object({
  id: z.string(),
  /** The device whose outbox it belongs to. */
  deviceId: z.string(),
  /** When the row was made. */
  madeAt: z.number(),
  record: z.nullable(intentRecord),
  state: z.enum(['queued', 'sent', 'expired-here', 'dropped']),
  /** Set before it leaves for the first time: from then on only the collector can say what became of it. */
  offered: z.boolean(),
  /** It may go only after a person looked at it, whatever its age. */
  held: z.boolean(),
  /** A person looked at it and said "send". */
  approved: z.boolean(),
  /** It takes the place of this one, which must be known not to happen before it may go. */
  after: z.nullable(z.string()),
  cancel: z.nullable(cancelRecord),
  dismissed: z.boolean(),
  /** Why it ended on this device. */
  reason: z.nullable(z.string()),
  steps: z.array(step),
  /** The ledger's entry as last seen: it stays when the ledger no longer lists it. */
  view: z.nullable(intentView),
});
/** See {@link queueRow}. */
export type QueueRow = z.output<typeof queueRow>;
