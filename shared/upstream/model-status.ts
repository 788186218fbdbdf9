import { z } from 'zod';
import { lenient } from './lenient.ts';

/**
 * A row of `modelStatus` (v135+), a full snapshot each time: local models sorted by id, then peers in random order with
 * an empty `state`. `uptimeMs` (v259+) is there while ready only; `capabilities` and `context_length` may appear later,
 * when the model was ready once (v257+).
 */
export const modelStatusRow = z.object({
  id: z.string(),
  state: z.string(),
  name: lenient(z.string()),
  description: lenient(z.string()),
  unlisted: lenient(z.boolean()),
  peerID: lenient(z.string()),
  aliases: lenient(z.array(z.unknown())),
  capabilities: lenient(z.record(z.string(), z.unknown())),
  context_length: lenient(z.number()),
  uptimeMs: lenient(z.number()),
});
/** See {@link modelStatusRow}. */
export type ModelStatusRow = z.infer<typeof modelStatusRow>;
