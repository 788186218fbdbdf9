import { z } from 'zod';
import { lenient } from './lenient.ts';

/** A request that runs on a host now (v235+). Of its headers, which may hold secrets, only those of the source are used. */
export const upstreamInFlightRow = z.object({
  id: z.union([z.string(), z.number().transform(String)]),
  timestamp: lenient(z.string()),
  model: lenient(z.string()),
  req_path: lenient(z.string()),
  method: lenient(z.string()),
  /** v240+; names in Go's canonical form, first value only. */
  req_headers: lenient(z.record(z.string(), z.unknown())),
  /** v240+; trusts forwarding headers. */
  remote_ip: lenient(z.string()),
  elapsed_ms: lenient(z.number()),
  /** v240+; of the answer, as far as it went out. */
  resp_bytes: lenient(z.number()),
});
/** See {@link upstreamInFlightRow}. */
export type UpstreamInFlightRow = z.infer<typeof upstreamInFlightRow>;

/**
 * The `inflight` message in its three forms: `{total}` (v192–v234; wrong before v218), `{requests}` (v235–v239), and
 * `{operation, …}` (v240+), where an empty snapshot has no `requests` at all.
 */
export const inFlightMessage = z.object({
  total: lenient(z.number().int().min(0)),
  operation: lenient(z.string()),
  requests: z.unknown().optional(),
  request: z.unknown().optional(),
  id: z.unknown().optional(),
});
