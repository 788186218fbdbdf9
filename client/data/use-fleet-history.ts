import { useQuery } from '@tanstack/react-query';
import { useReadable } from './cell.ts';
import { heldModelEventsCell } from './held-model-events-state.ts';
import { heldPerformanceCell } from './held-performance-state.ts';
import { heldTimelinesCell } from './held-timelines-state.ts';
import type { HeldPerformance } from './history/held-performance.ts';
import type { HeldTimeline } from './history/held-timeline.ts';
import type { HeldModelEvents } from './history/model-events.ts';
import { queryClient } from './query-client.ts';

/** What this device holds of a host for a stretch of time; of transitions all that it holds. */
export interface HostHistory {
  readonly events: HeldModelEvents;
  /** On the host's clock. */
  readonly performance: HeldPerformance;
  readonly timeline: HeldTimeline;
}

/** A host whose history is wanted. `clockOffsetMs`: clock of the collector minus that of the host. */
export interface HistoryHost {
  readonly hostId: string;
  readonly clockOffsetMs: number;
}

/** Fine enough for a line under a thumb, coarse enough for a whole day at once. */
const BUCKET_MS = 300_000;
const REFRESH_MS = 60_000;

/**
 * The history of hosts between two moments, by host id, from this device's copy alone: the same with and without the
 * collector. Null until it was read, and for good where nothing is kept. `isOpenEnded`: it still grows.
 */
export function useFleetHistory(
  hosts: readonly HistoryHost[],
  span: { readonly from: number; readonly to: number; readonly isOpenEnded: boolean },
): ReadonlyMap<string, HostHistory> | null {
  const readEvents = useReadable(heldModelEventsCell);
  const readPerformance = useReadable(heldPerformanceCell);
  const readTimelines = useReadable(heldTimelinesCell);
  const { from, to, isOpenEnded } = span;
  const { data } = useQuery(
    {
      queryKey: ['fleet-history', from, isOpenEnded ? null : to, hosts],
      queryFn: async () => {
        const wishes = hosts.map((host) => ({ ...host, from, to, bucketMs: BUCKET_MS }));
        const timelines = (await readTimelines?.(wishes)) ?? [];
        const history = new Map<string, HostHistory>();
        for (const [place, { hostId, clockOffsetMs }] of hosts.entries()) {
          // Beyond the stretch too: what came after it tells what was before.
          const events = await readEvents?.({ hostId, from: 0, to: Number.MAX_SAFE_INTEGER });
          const performance = await readPerformance?.({
            hostId,
            from: from - clockOffsetMs - BUCKET_MS,
            to: to - clockOffsetMs,
          });
          const timeline = timelines[place];
          if (events && performance && timeline) history.set(hostId, { events, performance, timeline });
        }
        return history;
      },
      enabled: readEvents !== null && readPerformance !== null && readTimelines !== null,
      refetchInterval: isOpenEnded ? REFRESH_MS : false,
      gcTime: 0,
      // Another day's would be shown as this one's.
      placeholderData: (last, lastQuery) => (lastQuery?.queryKey[1] === from ? last : undefined),
    },
    queryClient,
  );
  return data ?? null;
}
