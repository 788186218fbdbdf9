import * as z from 'zod/mini';
import { epochMs, hostId, modelId } from './ids.ts';

/** A request that runs on a host now. `elapsedMs` is as of `observedAt` (collector clock); clients advance it. */
export const inFlightRequest = z.object({
  id: z.string(),
  modelId,
  path: z.nullable(z.string()),
  method: z.nullable(z.string()),
  elapsedMs: z.nullable(z.int()),
  observedAt: epochMs,
  source: z.nullable(z.string()),
  /** Bytes of the answer that went out so far; left out: the host does not say (before v240). */
  responseBytes: z.optional(z.int().check(z.minimum(0))),
});
/** See {@link inFlightRequest}. */
export type InFlightRequest = z.infer<typeof inFlightRequest>;

/**
 * What runs on a host now. `total` is null where the host's version does not say or says it wrongly (before v218);
 * `requests` is null where it reports a number only (v218–v234).
 */
export const inFlight = z.object({
  hostId,
  total: z.nullable(z.int().check(z.minimum(0))),
  requests: z.nullable(z.array(inFlightRequest)),
  observedAt: epochMs,
});
/** See {@link inFlight}. */
export type InFlight = z.infer<typeof inFlight>;
