import { useQuery } from '@tanstack/react-query';
import { useReadable } from './cell.ts';
import { clockOffsetOf } from './clock-offset.ts';
import { heldTimelinesCell } from './held-timelines-state.ts';
import type { HeldTimeline } from './history/held-timeline.ts';
import { queryClient } from './query-client.ts';
import { serverNow } from './server-clock.ts';
import { bucketStart } from './time-buckets.ts';
import { useConnection } from './use-connection.ts';
import { useFleet } from './use-fleet.ts';

/** How far back a sparkline goes. */
export const RATE_SPAN_MS = 30 * 60_000;
const BUCKET_MS = 180_000;
const REFRESH_MS = 10_000;

/** What each host did lately, as this device holds it, and when it was looked at. */
export interface FleetRates {
  readonly byHost: ReadonlyMap<string, HeldTimeline>;
  readonly now: number;
}

/** Reads the last half hour of all hosts, once for all that show it; null until it was read. */
export function useFleetRates(): FleetRates | null {
  const read = useReadable(heldTimelinesCell);
  const { hosts } = useFleet();
  const isLive = useConnection().kind === 'live';
  const wanted = hosts.map((host) => `${host.id} ${clockOffsetOf(host)}`).join();
  const { data } = useQuery(
    {
      queryKey: ['fleet-rates', wanted, isLive],
      queryFn: async () => {
        const now = serverNow();
        const from = bucketStart(now - RATE_SPAN_MS, BUCKET_MS);
        const wishes = hosts.map((host) => ({
          hostId: host.id,
          from,
          to: now,
          bucketMs: BUCKET_MS,
          clockOffsetMs: clockOffsetOf(host),
        }));
        const held = (await read?.(wishes)) ?? [];
        const byHost = new Map(
          held.flatMap((one, place): [string, HeldTimeline][] => {
            const wish = wishes[place];
            return wish === undefined ? [] : [[wish.hostId, one]];
          }),
        );
        return { byHost, now };
      },
      enabled: read !== null && hosts.length > 0,
      // Away nothing is added; what is shown has its age on the card.
      refetchInterval: isLive ? REFRESH_MS : false,
      placeholderData: (last) => last,
      gcTime: 0,
    },
    queryClient,
  );
  return data ?? null;
}
