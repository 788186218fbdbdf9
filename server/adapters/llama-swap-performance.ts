import { mapPerformance } from '../domain/map-performance.ts';
import type { ObservedPerformance, UpstreamResult } from '../domain/ports.ts';
import { readReply, type UpstreamHttp } from './upstream-http.ts';

const TIMEOUT_MS = 4_000;
/** An hour of samples of a machine with hundreds of cores and 16 cards. */
const MAX_BYTES = 16 * 1024 * 1024;
const DISABLED: ObservedPerformance = { enabled: false, system: [], gpus: [], unreadable: 0 };

/** Samples later than `after` by the host's clock, all of them when null. */
export async function fetchPerformance(
  http: UpstreamHttp,
  after: number | null,
  signal: AbortSignal,
): Promise<UpstreamResult<ObservedPerformance>> {
  const query = after === null ? '' : `?after=${encodeURIComponent(new Date(after).toISOString())}`;
  const reply = await http.get(`/api/performance${query}`, {
    signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  // Only "disabled" is 503 here; from v229 it says so, before it is an error text.
  if (reply.ok && reply.value.status === 503) return { ...reply, value: DISABLED };
  return readReply(reply, mapPerformance, http.secrets());
}
