import * as z from 'zod/mini';
import { epochMs, hostId, modelId } from './ids.ts';

/** Topics of live frames (message type 100 on the fleet socket). */
export const liveTopic = z.enum(['status', 'in-flight', 'presence', 'performance']);
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

/** An action somebody has open before them and has not confirmed: its kind, and the model where it is about one. */
export const preparedAction = z.strictObject({
  kind: z.string().check(z.maxLength(32), z.regex(/^[a-z]+\.[a-z]+$/, 'a kind is two words with a dot')),
  modelId: z.nullable(modelId),
});
/** See {@link preparedAction}. */
export type PreparedAction = z.infer<typeof preparedAction>;

/** What a client says of its user: the host looked at (null: none), and the action prepared there. */
export const presenceReport = z.strictObject({
  hostId: z.nullable(hostId),
  preparing: z.nullable(preparedAction),
});
/** See {@link presenceReport}. */
export type PresenceReport = z.infer<typeof presenceReport>;

/** A device that looks at a host, on however many pages. */
export const livePerson = z.object({
  deviceId: z.string(),
  label: z.string(),
  since: epochMs,
  preparing: z.nullable(preparedAction),
});
/** See {@link livePerson}. */
export type LivePerson = z.infer<typeof livePerson>;

/** Value of the `presence` topic for a host: who is there, those who prepare something first, and how many more. */
export const livePresence = z.object({
  hostId,
  people: z.array(livePerson),
  more: z.int(),
});
/** See {@link livePresence}. */
export type LivePresence = z.infer<typeof livePresence>;

/**
 * What a client is told to ask for again: `session` (its own role or name changed: `GET /api/info`), `devices`, or
 * `pairing-requests`. A frame of it holds the word and nothing else: what may be seen is decided by the route.
 */
export const liveNews = z.enum(['session', 'devices', 'pairing-requests']);
/** See {@link liveNews}. */
export type LiveNews = z.infer<typeof liveNews>;

/** Whose log lines a client wants: what a host's own streams bring (`modelId` null), or one model's log. */
export const logWish = z.strictObject({ hostId, modelId: z.nullable(modelId) });
/** See {@link logWish}. */
export type LogWish = z.infer<typeof logWish>;

/**
 * What a client asks for: topics, hosts (left out: all), and whose logs (left out: nobody's). A new one replaces the last. Topics this version does not
 * know are left out, so that a newer client still gets the others.
 */
export const liveSubscription = z.strictObject({
  topics: z.pipe(
    z.array(z.string().check(z.maxLength(32))).check(z.maxLength(8)),
    z.transform((names) => names.flatMap((name) => liveTopic.safeParse(name).data ?? [])),
  ),
  hosts: z.optional(z.array(hostId).check(z.maxLength(500))),
  /** Log lines, for operators and admins; only a server with the capability `logs` knows it. */
  logs: z.optional(logWish),
});
/** See {@link liveSubscription}. */
export type LiveSubscription = z.infer<typeof liveSubscription>;
