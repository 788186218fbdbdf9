import { useQuery } from '@tanstack/react-query';
import { useReadable } from './cell.ts';
import { heldTimelinesCell } from './held-timelines-state.ts';
import type { HeldTimeline } from './history/held-timeline.ts';
import { useHistoryDays } from './use-history-days.ts';
import { queryClient } from './query-client.ts';
import { serverNow } from './server-clock.ts';
import { bucketMsOf, bucketStart } from './time-buckets.ts';
import { useConnection } from './use-connection.ts';
import type { PerformanceWish } from './use-performance-history.ts';
import { askedSpan, refreshMs } from './use-performance-history.ts';

/**
 * Requests of a host by bucket of time, from this device's copy: the same with and without the collector. Asked for again
 * while they are shown; null until they were read.
 */
export function useHeldTimeline(wish: PerformanceWish): HeldTimeline | null {
  const { hostId, spanMs, clockOffsetMs, window } = wish;
  const read = useReadable(heldTimelinesCell);
  const isLive = useConnection().kind === 'live';
  // Once history has come in, what is shown is read again.
  const { heldBytes, progress } = useHistoryDays();
  const stamp = progress === null ? heldBytes : null;
  const { data } = useQuery(
    {
      queryKey: ['timeline', hostId, spanMs, window, clockOffsetMs, stamp],
      queryFn: async () => {
        const { from, to } = askedSpan({ spanMs, window }, serverNow());
        const bucketMs = bucketMsOf(window === null ? spanMs : window.to - window.from);
        const first = bucketStart(from, bucketMs);
        const [held] = (await read?.([{ hostId, from: first, to, bucketMs, clockOffsetMs }])) ?? [];
        return held ?? null;
      },
      enabled: read !== null,
      refetchInterval: refreshMs(spanMs, isLive),
      gcTime: 0,
      placeholderData: (last, lastQuery) => (lastQuery?.queryKey[1] === hostId ? last : undefined),
    },
    queryClient,
  );
  return data ?? null;
}
