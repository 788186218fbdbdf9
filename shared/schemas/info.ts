import * as z from 'zod/mini';
import { role } from './auth.ts';
import { epochMs } from './ids.ts';

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

/** State of one subsystem: `detail` says what, `remediation` what to do (null: nothing). */
export const healthCheck = z.object({
  name: z.string(),
  state: z.enum(['ok', 'warn', 'fail']),
  detail: z.string(),
  remediation: z.nullable(z.string()),
});
/** See {@link healthCheck}. */
export type HealthCheck = z.infer<typeof healthCheck>;

/** Answer of `GET /api/health`; `checks` only for those who are signed in. */
export const health = z.object({
  status: z.enum(['ok', 'degraded', 'failed']),
  checks: z.optional(z.array(healthCheck)),
});
/** See {@link health}. */
export type Health = z.infer<typeof health>;
