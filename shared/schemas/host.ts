import { z } from 'zod';
import { label } from './auth.ts';
import { epochMs, hostId } from './ids.ts';

/** What the collector knows of the way to a host; the words a person reads stand in the client. */
export const LIVENESS = [
  'connected',
  'reconnecting',
  'asleep',
  'down',
  'unauthorized',
  'incompatible',
] as const;
/** One of {@link LIVENESS}. */
export const liveness = z.enum(LIVENESS);
/** See {@link liveness}. */
export type Liveness = z.infer<typeof liveness>;

/** Base URL of a llama-swap: http or https, no credentials, query or fragment; a path prefix is kept. */
export const hostUrl = z
  .url({ protocol: /^https?$/, error: 'an address looks like http://box.lan:8080' })
  .max(2048)
  .refine((value) => !/[?#]/.test(value) && !/^[a-z]+:\/\/[^/]*@/i.test(value), {
    error: 'leave out user names, queries and fragments; the key has its own field',
  });

/** A secret by reference: the name of an environment variable of the server, `env:NAME`. */
export const keyRef = z
  .string()
  .regex(/^env:[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'a key reference looks like env:NAME');

/** The key sent to a host: visible ASCII, because it travels in a header. */
export const hostKey = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[\x21-\x7e]+$/, 'a key has no spaces or special characters');

/**
 * A host as `GET /api/hosts` and the fleet document's `host/<hostId>` entry show it.
 * `since` is when the liveness began, `lastSeenAt` the last byte or answer from the host (null: never), `reason` a
 * sentence for a person or null, `version` the text llama-swap reports (null: not known).
 */
export const host = z.object({
  id: hostId,
  label: z.string(),
  url: z.string(),
  liveness,
  since: epochMs,
  lastSeenAt: epochMs.nullable(),
  reason: z.string().nullable(),
  version: z.string().nullable(),
  paused: z.boolean(),
  managedByFile: z.boolean(),
  /** Demo hosts are marked everywhere. */
  demo: z.boolean(),
  /** How a key is configured, never the key: `stored`, `env:NAME`, or null for none. */
  keySource: z.string().nullable(),
  /** Number of the failed attempt and time of the next one while reconnecting or down; null otherwise. */
  attempt: z.number().int().nullable(),
  nextAttemptAt: epochMs.nullable(),
  /** What the probes found: feature words such as `activity`, `inflight-rows`, `log-stream`. */
  features: z.array(z.string()),
  /** Server clock minus host clock, from its `Date` header; null when not known. */
  clockOffsetMs: z.number().nullable(),
});
/** See {@link host}. */
export type Host = z.infer<typeof host>;

/** Body of `POST /api/hosts`: `id` is derived from the label when left out; give `key` or `keyRef`, not both. */
export const hostCreate = z
  .strictObject({
    id: hostId.optional(),
    label,
    url: hostUrl,
    key: hostKey.optional(),
    keyRef: keyRef.optional(),
    paused: z.boolean().optional(),
  })
  .refine((value) => !(value.key && value.keyRef), { error: 'give a key or a key reference, not both' });
/** See {@link hostCreate}. */
export type HostCreate = z.infer<typeof hostCreate>;

/** Body of `PATCH /api/hosts/:hostId`; `key: null` removes the stored key and the reference. */
export const hostPatch = z
  .strictObject({
    label: label.optional(),
    url: hostUrl.optional(),
    key: hostKey.nullable().optional(),
    keyRef: keyRef.optional(),
    paused: z.boolean().optional(),
  })
  .refine((value) => !(value.key && value.keyRef), { error: 'give a key or a key reference, not both' });
/** See {@link hostPatch}. */
export type HostPatch = z.infer<typeof hostPatch>;

/** Verdicts of `POST /api/hosts/test`. */
export const testVerdict = z.enum([
  'ok',
  'unreachable',
  'tls',
  'unauthorized',
  'asleep',
  'not_llama_swap',
  'too_old',
  'self',
]);
/** See {@link testVerdict}. */
export type TestVerdict = z.infer<typeof testVerdict>;

/** Body of `POST /api/hosts/test`; `hostId` tests a known host with its stored key. */
export const hostTest = z.strictObject({
  url: hostUrl,
  key: hostKey.optional(),
  keyRef: keyRef.optional(),
  hostId: hostId.optional(),
});

/** Answer of `POST /api/hosts/test`: `detail` is one sentence for a person. */
export const hostTestResult = z.object({
  verdict: testVerdict,
  detail: z.string(),
  version: z.string().optional(),
  models: z.array(z.string()).optional(),
  gpus: z.array(z.string()).optional(),
  tls: z.string().optional(),
  timingsMs: z.record(z.string(), z.number()).optional(),
});
/** See {@link hostTestResult}. */
export type HostTestResult = z.infer<typeof hostTestResult>;
