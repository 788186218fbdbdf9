import * as z from 'zod/mini';
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
