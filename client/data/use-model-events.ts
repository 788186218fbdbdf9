import { useQuery } from '@tanstack/react-query';
import { useReadable } from './cell.ts';
import { heldModelEventsCell } from './held-model-events-state.ts';
import type { HeldModelEvents } from './history/model-events.ts';
import { queryClient } from './query-client.ts';
import { serverNow } from './server-clock.ts';

/** A transition and the model's new state come on two sockets: looked at again so soon, and while it is shown. */
const REFRESH_MS = 5_000;
/** A host's clock plays no part: these are the collector's times, and none lies ahead. */
const AHEAD_MS = 60_000;

/** See {@link useModelEvents}. */
export interface ModelEventsWish {
  readonly hostId: string;
  readonly spanMs: number;
  /** Asks again at once when it changes: what is known of the model's state now. */
  readonly stamp: string;
}

/**
 * Transitions of all models of a host over the last `spanMs`, from this device's copy: the same with and without the
 * collector. Null until they were read; `wish` null reads nothing.
 */
export function useModelEvents(wish: ModelEventsWish | null): HeldModelEvents | null {
  const read = useReadable(heldModelEventsCell);
  const { hostId = '', spanMs = 0, stamp = '' } = wish ?? {};
  const { data } = useQuery(
    {
      queryKey: ['model-events', hostId, spanMs, stamp],
      queryFn: async () => {
        const now = serverNow();
        return (await read?.({ hostId, from: now - spanMs, to: now + AHEAD_MS })) ?? null;
      },
      enabled: wish !== null && read !== null,
      refetchInterval: REFRESH_MS,
      gcTime: 0,
      placeholderData: (last, lastQuery) => (lastQuery?.queryKey[1] === hostId ? last : undefined),
    },
    queryClient,
  );
  return data ?? null;
}
