import type { InFlightRequest } from '#shared/schemas/in-flight.ts';
import { formatElapsed, UNKNOWN } from '../../ui/format.ts';
import { progressWords } from '../frame/running-view.ts';

/** Who would be cut off, as one row of a confirm sheet. */
export interface ConfirmRow {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly elapsed: string;
}

/** Rows of the requests that would be cut as of `now` (collector time), the longest first; `isModelSaid`: not again here. */
export function confirmRows(
  requests: readonly InFlightRequest[],
  isModelSaid: boolean,
  now: number,
): readonly ConfirmRow[] {
  return requests
    .map((request) => ({ request, elapsedMs: elapsedOf(request, now) }))
    .sort((a, b) => (b.elapsedMs ?? -1) - (a.elapsedMs ?? -1))
    .map(({ request, elapsedMs }) => ({
      id: request.id,
      title: request.source ?? 'source unknown',
      // How far the answer is says more than where it was asked for.
      detail: [isModelSaid ? null : request.modelId, progressWords(request) ?? request.path]
        .filter((part) => part !== null)
        .join(' · '),
      elapsed: elapsedMs === null ? UNKNOWN : formatElapsed(elapsedMs),
    }));
}

function elapsedOf({ elapsedMs, observedAt }: InFlightRequest, now: number): number | null {
  return elapsedMs === null ? null : elapsedMs + Math.max(0, now - observedAt);
}
