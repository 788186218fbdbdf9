import { pick } from 'zod/mini';
import { host } from '#shared/schemas/host.ts';

/** A host's status as its JSON column holds it: the fields of `HostStatus`. */
export const hostStatus = pick(host, {
  liveness: true,
  since: true,
  lastSeenAt: true,
  reason: true,
  version: true,
  attempt: true,
  nextAttemptAt: true,
  features: true,
  clockOffsetMs: true,
  hardware: true,
  profiles: true,
});
