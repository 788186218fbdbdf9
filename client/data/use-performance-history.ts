import { useQuery } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { readPerformance } from './performance-source.ts';
import type { PerformanceHistory } from './performance-source.ts';
import { serverNow } from './server-clock.ts';
import { useConnection } from './use-connection.ts';

/** Which samples: the last `spanMs` of a host, and how far its clock is behind the collector's. */
export interface PerformanceWish {
  readonly hostId: string;
  readonly spanMs: number;
  readonly clockOffsetMs: number;
}

/** A span of samples with its bounds, all on the collector's clock. */
export interface ShownPerformance extends PerformanceHistory {
  readonly from: number;
  readonly to: number;
}

/** A chart has so many pixels: it is asked for anew when about one of them has passed. */
const REFRESHES = 600;
const MIN_REFRESH_MS = 10_000;
/** What this device holds does not grow without the collector; only the end of the axis moves. */
const AWAY_REFRESH_MS = 300_000;

/** The last samples of a host, asked for again while they are shown; null until there is an answer. */
export function usePerformanceHistory({
  hostId,
  spanMs,
  clockOffsetMs,
}: PerformanceWish): ShownPerformance | null {
  const isLive = useConnection().kind === 'live';
  const { data } = useQuery(
    {
      queryKey: ['performance', hostId, spanMs, clockOffsetMs, isLive],
      queryFn: async ({ signal }) => {
        const to = serverNow();
        const span = { hostId, from: to - spanMs - clockOffsetMs, to: to - clockOffsetMs };
        const found = await readPerformance(span, { isLive, signal });
        return moved({ ...found, from: span.from, to: span.to }, clockOffsetMs);
      },
      refetchInterval: isLive ? Math.max(MIN_REFRESH_MS, spanMs / REFRESHES) : AWAY_REFRESH_MS,
      gcTime: 0,
      // Another range or a moment without the collector must not empty the page; another host's samples must.
      placeholderData: (last, lastQuery) => (lastQuery?.queryKey[1] === hostId ? last : undefined),
    },
    queryClient,
  );
  return data ?? null;
}

/** From the host's clock to the collector's. */
function moved(shown: ShownPerformance, byMs: number): ShownPerformance {
  if (byMs === 0) return shown;
  const move = <T extends { readonly at: number }>(samples: readonly T[]): T[] =>
    samples.map((sample) => ({ ...sample, at: sample.at + byMs }));
  const { answer, heldFrom, heldTo } = shown;
  return {
    ...shown,
    from: shown.from + byMs,
    to: shown.to + byMs,
    heldFrom: heldFrom === null ? null : heldFrom + byMs,
    heldTo: heldTo === null ? null : heldTo + byMs,
    answer: {
      ...answer,
      system: move(answer.system),
      gpus: answer.gpus.map((gpu) => ({ ...gpu, samples: move(gpu.samples) })),
    },
  };
}
