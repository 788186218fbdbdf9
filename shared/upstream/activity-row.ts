import { z } from 'zod';
import { lenient } from './lenient.ts';

const number = lenient(z.number());

/**
 * A row of `/api/metrics`, `/api/metrics/activity` or the `metrics` message, whatever the era. Flat rows (v140–v208)
 * have their counts at the top; nested ones (v209+) in `tokens`, with path and status. −1 is unknown in a parsed row,
 * and 0 everywhere in a minimal one (error, empty or unreadable answer).
 */
export const upstreamActivityRow = z.object({
  id: z.number().int().min(0),
  timestamp: z.string(),
  model: z.string(),
  duration_ms: number,
  has_capture: lenient(z.boolean()),
  input_tokens: number,
  output_tokens: number,
  cache_tokens: number,
  prompt_per_second: number,
  tokens_per_second: number,
  tokens: lenient(
    z.object({
      input_tokens: number,
      output_tokens: number,
      cache_tokens: number,
      prompt_per_second: number,
      tokens_per_second: number,
      draft_tokens: number,
    }),
  ),
  req_path: lenient(z.string()),
  resp_status_code: number,
  /** v229+. */
  error_msg: lenient(z.string()),
  /** v253+: `ip:<host>`, `tc:nodekey:<hex>`, `xff:<ip>` (v257+, forgeable). */
  src: lenient(z.string()),
});
/** See {@link upstreamActivityRow}. */
export type UpstreamActivityRow = z.infer<typeof upstreamActivityRow>;

/** A page of `GET /api/metrics/activity` (v236+); its rows are read one by one. */
export const upstreamActivityPage = z.object({
  data: z.unknown(),
  total: lenient(z.number().int()),
  total_pages: lenient(z.number().int()),
});
