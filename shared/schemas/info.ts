import * as z from 'zod/mini';
import { role } from './auth.ts';
import { LIVENESS } from './host.ts';
import { epochMs, hostId } from './ids.ts';

/** Answer of `GET /api/info`; `documents` are the current document names, `role` is there when signed in. */
export const info = z.object({
  version: z.string(),
  protocol: z.int(),
  serverTime: epochMs,
  syncPath: z.literal('/sync'),
  documents: z.object({
    fleet: z.string(),
    tail: z.string(),
    notes: z.optional(z.string()),
    outbox: z.optional(z.string()),
  }),
  capabilities: z.array(z.string()),
  role: z.optional(role),
  device: z.optional(z.object({ id: z.string(), label: z.string() })),
});
/** See {@link info}. */
export type Info = z.infer<typeof info>;

/**
 * State of one subsystem: `detail` says what, `remediation` what to do (null: nothing). `title` names it for a person,
 * `name` for scripts; `hostId` and `standing` are there where it is about one host. Times in the words are ages, because
 * the collector does not know the reader's zone.
 */
export const healthCheck = z.object({
  name: z.string(),
  /** Left out by older collectors. */
  title: z.optional(z.string()),
  state: z.enum(['ok', 'warn', 'fail']),
  detail: z.string(),
  remediation: z.nullable(z.string()),
  hostId: z.optional(hostId),
  standing: z.optional(z.enum([...LIVENESS, 'paused'])),
});
/** See {@link healthCheck}. */
export type HealthCheck = z.infer<typeof healthCheck>;

/** Answer of `GET /api/health`; `checks` and `checkedAt` only for those who are signed in. */
export const health = z.object({
  status: z.enum(['ok', 'degraded', 'failed']),
  checkedAt: z.optional(epochMs),
  checks: z.optional(z.array(healthCheck)),
});
/** See {@link health}. */
export type Health = z.infer<typeof health>;
