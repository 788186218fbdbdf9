import type { StoredActivity } from './activity-ring.ts';
import type { Caller, ServeRequest } from './caller.ts';
import type { LlamaSwap } from './llama-swap.ts';
import { hideSecrets, sourceOf } from './request-facts.ts';
import { MINIMAL_TOKENS } from './usage.ts';
import type { RowTokens, Timings } from './usage.ts';

/** How a request ended, for its row, its capture and its effect. */
export interface RequestEnd {
  readonly requestId: number;
  readonly inFlightId: string | null;
  readonly modelId: string;
  readonly startedAt: number;
  /** First byte of the answer's body; null when there was none. */
  readonly firstByteAt: number | null;
  readonly status: number;
  readonly contentType: string;
  readonly error: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;
  readonly tokens: RowTokens;
  readonly timings: Timings | null;
  readonly outputTokens: number;
  readonly cancelledBy: 'client' | 'api' | null;
  /** llama-swap answered itself; no model saw the request. */
  readonly refused: boolean;
}

/** Whether a request's end becomes an activity row. */
export function isMetered(host: LlamaSwap, caller: Caller, request: ServeRequest): boolean {
  const { inferenceRoutes, upstreamMetered } = host.traits;
  if (caller.method !== 'POST') return false;
  const known = inferenceRoutes.includes(request.innerPath);
  return request.viaUpstream
    ? upstreamMetered === 'any' || (upstreamMetered === 'inference' && known)
    : known;
}

/** Notes what was really served, and writes the row and capture the era would. */
export function recordEnd(host: LlamaSwap, caller: Caller, request: ServeRequest, end: RequestEnd): void {
  recordEffect(host, caller, end);
  if (!isMetered(host, caller, request)) return;
  const { traits, time } = host;
  const { answers, durationFrom, timingsDuration } = traits.activityRow;
  if (answers !== 'every' && end.status !== 200) return;
  if (answers === 'with-usage' && end.tokens === MINIMAL_TOKENS) return;
  const now = time.clock.now();
  const beganAt = durationFrom === 'request' ? end.startedAt : (end.firstByteAt ?? now);
  const wallMs = Math.round(now - beganAt);
  const measuredMs = end.timings ? Math.round(end.timings.prompt_ms + end.timings.predicted_ms) : 0;
  const row = host.record({
    model: end.modelId,
    path: request.innerPath,
    contentType: end.contentType,
    status: end.status,
    tokens: end.tokens,
    durationMs: timingsDuration === 'replace' && end.timings ? measuredMs : Math.max(wallMs, measuredMs),
    error: end.error,
    metadata: end.metadata,
    source: sourceOf(caller, traits.allowAnyOrigin),
  });
  keepCapture(host, { caller, request, end, row });
}

function keepCapture(
  host: LlamaSwap,
  kept: {
    readonly caller: Caller;
    readonly request: ServeRequest;
    readonly end: RequestEnd;
    readonly row: StoredActivity;
  },
): void {
  const { caller, request, end, row } = kept;
  if (end.status === 499) return;
  host.captures.add(row.id, {
    path: row.path,
    requestHeaders: hideSecrets(caller.headers, host.traits.secretHeaders),
    requestBody: caller.body,
    responseHeaders: end.responseHeaders,
    responseBody: end.responseBody,
    status: end.status,
    emptied: request.viaUpstream && host.traits.captures?.emptyThroughUpstream === true,
  });
}

function recordEffect(host: LlamaSwap, caller: Caller, end: RequestEnd): void {
  host.records.effect({
    at: host.time.clock.now(),
    kind: end.cancelledBy !== null ? 'cancelled' : end.refused ? 'refused' : 'served',
    modelId: end.modelId,
    by: end.cancelledBy ?? caller.by,
    detail: end.inFlightId,
    request: {
      id: end.requestId,
      method: caller.method,
      path: caller.path,
      status: end.status,
      startedAt: end.startedAt,
      outputTokens: end.outputTokens,
    },
  });
}
