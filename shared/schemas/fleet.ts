import * as z from 'zod/mini';
import { epochMs } from './ids.ts';

/** The fleet document's `meta` entry: what wrote it, and since when this generation is written. */
export const fleetMeta = z.object({
  protocol: z.int(),
  generation: z.int().check(z.minimum(1)),
  createdAt: epochMs,
});
/** See {@link fleetMeta}. */
export type FleetMeta = z.infer<typeof fleetMeta>;
