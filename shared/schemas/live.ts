import * as z from 'zod/mini';
import { epochMs, hostId } from './ids.ts';

/** Topics of live frames (message type 100 on the fleet socket). */
export const liveTopic = z.enum(['status', 'in-flight']);
/** See {@link liveTopic}. */
export type LiveTopic = z.infer<typeof liveTopic>;

/** Value of the `status` topic for a host: when it was last heard, and how many requests run (null: not known). */
export const liveStatus = z.object({
  hostId,
  lastSeenAt: z.nullable(epochMs),
  inFlight: z.nullable(z.int()),
});
/** See {@link liveStatus}. */
export type LiveStatus = z.infer<typeof liveStatus>;

/** What a client asks for: topics, and hosts (left out: all). A new one replaces the last. */
export const liveSubscription = z.strictObject({
  topics: z.array(liveTopic).check(z.maxLength(8)),
  hosts: z.optional(z.array(hostId).check(z.maxLength(500))),
});
/** See {@link liveSubscription}. */
export type LiveSubscription = z.infer<typeof liveSubscription>;
