import { useQuery } from '@tanstack/react-query';
import { useReadable } from './cell.ts';
import { heldPerformanceCell } from './held-performance-state.ts';
import { queryClient } from './query-client.ts';
import { readPerformance } from './performance-source.ts';
import type { PerformanceHistory } from './performance-source.ts';
import { serverNow } from './server-clock.ts';
import { useConnection } from './use-connection.ts';

/** Which samples of a host, and how far its clock is behind the collector's. */
export interface PerformanceWish {
  readonly hostId: string;
  /** The last so many milliseconds. */
  readonly spanMs: number;
  readonly clockOffsetMs: number;
  /** Instead of the last ones those of this stretch, and half as many before and after it. */
  readonly window: { readonly from: number; readonly to: number } | null;
}

/** A span of samples with its bounds, all on the collector's clock. */
export interface ShownPerformance extends PerformanceHistory {
  readonly from: number;
  readonly to: number;
  /** When they were asked for. */
  readonly now: number;
}

/** A chart has so many pixels: it is asked for anew when about one of them has passed. */
const REFRESHES = 600;
const MIN_REFRESH_MS = 10_000;
/** What this device holds does not grow without the collector; only the end of the axis moves. */
const AWAY_REFRESH_MS = 300_000;

/** How often what is shown of so much time is asked for again. */
export function refreshMs(spanMs: number, isLive: boolean): number {
  return isLive ? Math.max(MIN_REFRESH_MS, spanMs / REFRESHES) : AWAY_REFRESH_MS;
}

/** What is asked for at `now`: the last `spanMs`, or `window` with half of it on each side, as far as there was time. */
export function askedSpan(
  { spanMs, window }: Pick<PerformanceWish, 'spanMs' | 'window'>,
  now: number,
): { readonly from: number; readonly to: number } {
  if (window === null) return { from: now - spanMs, to: now };
  const margin = (window.to - window.from) / 2;
  return { from: window.from - margin, to: Math.min(now, window.to + margin) };
}

/** Samples of a host, asked for again while they are shown; null until there is an answer. */
export function usePerformanceHistory(wish: PerformanceWish): ShownPerformance | null {
  const { hostId, spanMs, clockOffsetMs, window } = wish;
  const isLive = useConnection().kind === 'live';
  // This device's copy may come after the page: then it is asked again.
  const hasCopy = useReadable(heldPerformanceCell) !== null;
  const { data } = useQuery(
    {
      queryKey: ['performance', hostId, spanMs, window, clockOffsetMs, isLive, !isLive && hasCopy],
      queryFn: async ({ signal }) => {
        const now = serverNow();
        const { from, to } = askedSpan({ spanMs, window }, now);
        const span = { hostId, from: from - clockOffsetMs, to: to - clockOffsetMs };
        const found = await readPerformance(span, { isLive, signal });
        return { ...moved(found, clockOffsetMs), from, to, now };
      },
      refetchInterval: refreshMs(spanMs, isLive),
      gcTime: 0,
      // Another stretch or a moment without the collector must not empty the page; another host's samples must.
      placeholderData: (last, lastQuery) => (lastQuery?.queryKey[1] === hostId ? last : undefined),
    },
    queryClient,
  );
  return data ?? null;
}

/** From the host's clock to the collector's. */
function moved(found: PerformanceHistory, byMs: number): PerformanceHistory {
  if (byMs === 0) return found;
  const move = <T extends { readonly at: number }>(samples: readonly T[]): T[] =>
    samples.map((sample) => ({ ...sample, at: sample.at + byMs }));
  const { answer, heldFrom, heldTo } = found;
  return {
    ...found,
    heldFrom: heldFrom === null ? null : heldFrom + byMs,
    heldTo: heldTo === null ? null : heldTo + byMs,
    answer: {
      ...answer,
      system: move(answer.system),
      gpus: answer.gpus.map((gpu) => ({ ...gpu, samples: move(gpu.samples) })),
    },
  };
}
