import type { InFlight } from '#shared/schemas/in-flight.ts';
import { useReadable } from './cell.ts';
import { inFlightCell } from './live-state.ts';

/** What runs now on every host that says so. */
export function useAllInFlight(): readonly InFlight[] {
  return useReadable(inFlightCell);
}
