import { z } from 'zod';
import { epochMs, hostId } from './ids.ts';

/** Topics of live frames (message type 100 on the fleet socket). */
export const liveTopic = z.enum(['status', 'in-flight']);
/** See {@link liveTopic}. */
export type LiveTopic = z.infer<typeof liveTopic>;

/** Value of the `status` topic for a host: when it was last heard, and how many requests run (null: not known). */
export const liveStatus = z.object({
  hostId,
  lastSeenAt: epochMs.nullable(),
  inFlight: z.number().int().nullable(),
});
/** See {@link liveStatus}. */
export type LiveStatus = z.infer<typeof liveStatus>;

/** What a client asks for: topics, and hosts (left out: all). A new one replaces the last. */
export const liveSubscription = z.strictObject({
  topics: z.array(liveTopic).max(8),
  hosts: z.array(hostId).max(500).optional(),
});
/** See {@link liveSubscription}. */
export type LiveSubscription = z.infer<typeof liveSubscription>;
