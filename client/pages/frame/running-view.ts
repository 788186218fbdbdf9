import type { InFlight, InFlightRequest } from '#shared/schemas/in-flight.ts';
import { formatKibibytes } from '../../ui/format.ts';

/** A request that runs, with its time at the moment asked for. */
export interface RunningRequest {
  readonly hostId: string;
  readonly id: string;
  readonly modelId: string;
  readonly source: string | null;
  readonly path: string | null;
  /** How far its answer is, in words; null where the host does not say. */
  readonly progress: string | null;
  /** Null where the host does not say. */
  readonly elapsedMs: number | null;
}

/** See {@link RunningRequest}. `total` counts what hosts report as a number only, too. */
export interface RunningView {
  readonly total: number;
  readonly requests: readonly RunningRequest[];
}

/** `18 KiB received`, `waiting for the first byte`; null where the host does not say. */
export function progressWords({ responseBytes }: Pick<InFlightRequest, 'responseBytes'>): string | null {
  if (responseBytes === undefined) return null;
  return responseBytes === 0 ? 'waiting for the first byte' : `${formatKibibytes(responseBytes)} received`;
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
      progress: progressWords(request),
      elapsedMs: request.elapsedMs === null ? null : request.elapsedMs + Math.max(0, at - request.observedAt),
    })),
  );
  return {
    total: inFlight.reduce((sum, { total }) => sum + (total ?? 0), 0),
    requests: requests.sort((a, b) => (b.elapsedMs ?? -1) - (a.elapsedMs ?? -1)),
  };
}
