import * as z from 'zod/mini';
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
  .check(
    z.maxLength(2048, 'an address has at most 2,048 characters'),
    z.refine((value) => !/[?#]/.test(value) && !/^[a-z]+:\/\/[^/]*@/i.test(value), {
      error: 'leave out user names, queries and fragments; the key has its own field',
    }),
  );

/** A secret by reference: the name of an environment variable of the server, `env:NAME`. */
export const keyRef = z
  .string()
  .check(z.regex(/^env:[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'a key reference looks like env:NAME'));

/** The key sent to a host: visible ASCII, because it travels in a header. */
export const hostKey = z
  .string()
  .check(
    z.minLength(1, 'a key is needed'),
    z.maxLength(4096, 'a key has at most 4,096 characters'),
    z.regex(/^[\x21-\x7e]+$/, 'a key has no spaces or special characters'),
  );

const text = z.nullable(z.string());
const count = z.nullable(z.int());

/** What a host is made of, as it reports it (v247+); unknown is null, and nothing in it tells one machine from another. */
export const hostHardware = z.object({
  /** `debian 12.11`. */
  os: text,
  kernel: text,
  /** `x86_64`, `arm64`… */
  architecture: text,
  /** `native`, `container`, `wsl`… */
  environment: text,
  cpu: z.object({ model: text, sockets: count, cores: count, threads: count }),
  memoryMb: count,
  accelerators: z.array(
    z.object({
      kind: text,
      model: text,
      architecture: text,
      /** `dedicated`, `unified`… */
      memoryKind: text,
      memoryMb: count,
      driver: text,
      powerLimitW: z.nullable(z.number()),
    }),
  ),
});
/** See {@link hostHardware}. */
export type HostHardware = z.infer<typeof hostHardware>;

/**
 * Profiles of a host (llama-swap v241+), in the order it lists them: `active` is null when none is, a description is
 * empty when there is none.
 */
export const hostProfiles = z.object({
  active: z.nullable(z.string()),
  names: z.array(z.object({ id: z.string(), description: z.string() })),
});
/** See {@link hostProfiles}. */
export type HostProfiles = z.infer<typeof hostProfiles>;

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
  lastSeenAt: z.nullable(epochMs),
  reason: z.nullable(z.string()),
  version: z.nullable(z.string()),
  paused: z.boolean(),
  /** When a pause ends by itself; null: when somebody resumes it. Left out by older collectors. */
  pausedUntil: z.optional(z.nullable(epochMs)),
  managedByFile: z.boolean(),
  /** Demo hosts are marked everywhere. */
  demo: z.boolean(),
  /** How a key is configured, never the key: `stored`, `env:NAME`, or null for none. */
  keySource: z.nullable(z.string()),
  /** Number of the failed attempt and time of the next one while reconnecting or down; null otherwise. */
  attempt: z.nullable(z.int()),
  nextAttemptAt: z.nullable(epochMs),
  /** What the probes found: feature words such as `activity`, `inflight-rows`, `log-stream`. */
  features: z.array(z.string()),
  /** Server clock minus host clock, from its `Date` header; null when not known. */
  clockOffsetMs: z.nullable(z.number()),
  /** What it is made of; null or left out where it does not say. */
  hardware: z.optional(z.nullable(hostHardware)),
  /** Null while not known: it has none to offer, was not reached yet, or may not be asked. Left out by older collectors. */
  profiles: z.optional(z.nullable(hostProfiles)),
  /** How many models it has, where the document holds only some of them; left out: it holds all. */
  modelCount: z.optional(z.int()),
});
/** See {@link host}. */
export type Host = z.infer<typeof host>;

const oneKey = z.refine<{ readonly key?: string | null | undefined; readonly keyRef?: string | undefined }>(
  (value) => !(value.key && value.keyRef),
  { error: 'give a key or a key reference, not both' },
);

/** Body of `POST /api/hosts`: `id` is derived from the label when left out; give `key` or `keyRef`, not both. */
export const hostCreate = z
  .strictObject({
    id: z.optional(hostId),
    label,
    url: hostUrl,
    key: z.optional(hostKey),
    keyRef: z.optional(keyRef),
    paused: z.optional(z.boolean()),
  })
  .check(oneKey);
/** See {@link hostCreate}. */
export type HostCreate = z.infer<typeof hostCreate>;

/** Body of `PATCH /api/hosts/:hostId`; `key: null` removes the stored key and the reference. */
export const hostPatch = z
  .strictObject({
    label: z.optional(label),
    url: z.optional(hostUrl),
    key: z.optional(z.nullable(hostKey)),
    keyRef: z.optional(keyRef),
    paused: z.optional(z.boolean()),
  })
  .check(oneKey);
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
  key: z.optional(hostKey),
  keyRef: z.optional(keyRef),
  hostId: z.optional(hostId),
});

/** Answer of `POST /api/hosts/test`: `detail` is one sentence for a person. */
export const hostTestResult = z.object({
  verdict: testVerdict,
  detail: z.string(),
  version: z.optional(z.string()),
  models: z.optional(z.array(z.string())),
  gpus: z.optional(z.array(z.string())),
  tls: z.optional(z.string()),
  timingsMs: z.optional(z.record(z.string(), z.number())),
});
/** See {@link hostTestResult}. */
export type HostTestResult = z.infer<typeof hostTestResult>;
