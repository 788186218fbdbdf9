import type { InFlight } from '#shared/schemas/in-flight.ts';
import { useReadable } from './cell.ts';
import { inFlightCell, liveByHost } from './live-state.ts';
import type { Live } from './types.ts';

/** What live frames say of one host now. */
export function useLive(hostId: string): Live {
  return useReadable(liveByHost.at(hostId));
}

/** What runs now on every host that says so. */
export function useAllInFlight(): readonly InFlight[] {
  return useReadable(inFlightCell);
}
