import type { InFlight } from '#shared/schemas/in-flight.ts';
import { createCell } from './cell.ts';
import { createCellsByKey } from './cells-by-key.ts';
import type { Live } from './types.ts';

/** What nobody knows: no live frame of this connection named the host. */
export const LIVE_UNKNOWN: Live = { lastSeenAt: null, inFlight: null };

/** Live values by host; emptied when the socket closes, because nothing stale may look live. */
export const liveByHost = createCellsByKey<Live>(LIVE_UNKNOWN);

/** What runs on any host now, in host order. */
export const inFlightCell = createCell<readonly InFlight[]>([]);
