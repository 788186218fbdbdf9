import * as z from 'zod/mini';
import { epochMs, hostId } from './ids.ts';

/**
 * Who acts on a host now: the fleet document's `lease/<hostId>` entry. It is written when the host is taken and deleted
 * when it is free again, not at each heartbeat.
 */
export const hostLease = z.object({
  hostId,
  /** What acts: the id of an intent or of a run. */
  holder: z.string(),
  /** `Load coder`. */
  purpose: z.string(),
  since: epochMs,
  /** When it is over at the latest: the deadline of what acts. */
  expiresAt: epochMs,
});
/** See {@link hostLease}. */
export type HostLease = z.infer<typeof hostLease>;
