import type { InFlight } from '#shared/schemas/in-flight.ts';

/** A request that runs, with its time at the moment asked for. */
export interface RunningRequest {
  readonly hostId: string;
  readonly id: string;
  readonly modelId: string;
  readonly source: string | null;
  readonly path: string | null;
  /** Null where the host does not say. */
  readonly elapsedMs: number | null;
}

/** See {@link RunningRequest}. `total` counts what hosts report as a number only, too. */
export interface RunningView {
  readonly total: number;
  readonly requests: readonly RunningRequest[];
}

/** Requests in flight as of `at` (collector time), the longest first. */
export function runningRequests(inFlight: readonly InFlight[], at: number): RunningView {
  const requests = inFlight.flatMap(({ hostId, requests: running }) =>
    (running ?? []).map((request) => ({
      hostId,
      id: request.id,
      modelId: request.modelId,
      source: request.source,
      path: request.path,
      elapsedMs: request.elapsedMs === null ? null : request.elapsedMs + Math.max(0, at - request.observedAt),
    })),
  );
  return {
    total: inFlight.reduce((sum, { total }) => sum + (total ?? 0), 0),
    requests: requests.sort((a, b) => (b.elapsedMs ?? -1) - (a.elapsedMs ?? -1)),
  };
}
