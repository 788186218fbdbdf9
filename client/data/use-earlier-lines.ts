import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { routes } from '#shared/http/routes.ts';
import type { KeptLogsPage } from '#shared/schemas/log.ts';
import { callApi } from './call-api.ts';
import type { EarlierLines } from './logs/earlier-lines.ts';
import { oldestAt, withoutHoles, withPage } from './logs/earlier-lines.ts';
import type { LogLine } from './logs/log-board.ts';
import { queryClient } from './query-client.ts';
import type { Result } from './types.ts';
import { useConnection } from './use-connection.ts';

const REFRESH_MS = 15_000;
/** More would make the page heavy: what is older can be downloaded. */
const MAX_SHOWN = 20_000;
/** The whole of it is fetched for a download up to so many lines. */
const MAX_DOWNLOAD = 200_000;

/** Lines of a host's log that the collector keeps on disk, before those that it sends by itself. */
export interface EarlierLog {
  readonly lines: readonly LogLine[];
  /** What follows them: the lines on the page, but for those that these have, too. */
  readonly rest: readonly LogLine[];
  /** When the oldest kept line came; null: none are kept, or nobody can tell now. */
  readonly keptFrom: number | null;
  /** There are older ones, and room for them on the page. */
  readonly hasMore: boolean;
  readonly isFetching: boolean;
  /** Why the last page did not come. */
  readonly error: string | null;
  /** Fetches a page more. */
  readonly more: () => void;
  /** Every kept line and what follows, for a file. */
  readonly all: () => Promise<readonly LogLine[]>;
}

interface Fetched {
  /** Which lines they stand before: host and first line of the page. */
  readonly anchor: string;
  /** Key of the first line that follows them. */
  readonly restFrom: number;
  readonly earlier: EarlierLines;
}

const NONE: readonly LogLine[] = [];

/**
 * See {@link EarlierLog}. `hostId` null: a log that is not kept. `shown` are the lines on the page that these stand before:
 * they are shown only as long as nothing is missing in between.
 */
export function useEarlierLines(hostId: string | null, shown: readonly LogLine[]): EarlierLog {
  const isLive = useConnection().kind === 'live';
  const anchor = `${hostId} ${shown[0]?.key}`;
  const [state, setState] = useState<Fetched | null>(null);
  const [isFetching, setFetching] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const fetched = state?.anchor === anchor ? state : null;
  const earlier = fetched?.earlier ?? null;
  const rest = fetched === null ? withoutHoles(shown) : shown.filter(({ key }) => key >= fetched.restFrom);
  const { data: keptFrom = null } = useQuery(
    {
      queryKey: ['kept-logs', hostId],
      queryFn: async () => {
        // The page of the first moment there is: only how far back is asked.
        const answer = await callApi(routes.keptLogs, { query: { hostId: hostId ?? '', before: 0 } });
        return answer.ok ? answer.value.keptFrom : null;
      },
      enabled: hostId !== null && isLive,
      // The first lines may be kept only after the page was opened; where nothing is kept, that costs next to nothing.
      refetchInterval: REFRESH_MS,
    },
    queryClient,
  );

  async function more(): Promise<void> {
    if (hostId === null || isFetching) return;
    setFetching(true);
    const answer = await pageOf({ hostId, cursor: earlier?.cursor ?? null }, rest);
    setFetching(false);
    setError(answer.ok ? null : answer.message);
    if (!answer.ok) return;
    setState({ anchor, restFrom: rest[0]?.key ?? 0, earlier: withPage(earlier, answer.value, rest) });
  }

  async function all(): Promise<readonly LogLine[]> {
    if (earlier === null && (hostId === null || keptFrom === null || !isLive)) return shown;
    if (hostId === null || !isLive) return [...(earlier?.lines ?? NONE), ...rest];
    let found = earlier;
    while (found === null || (found.cursor !== null && found.lines.length < MAX_DOWNLOAD)) {
      const answer = await pageOf({ hostId, cursor: found?.cursor ?? null }, rest);
      if (!answer.ok) throw new Error(answer.message);
      found = withPage(found, answer.value, rest);
    }
    return [...found.lines, ...rest];
  }

  const lines = earlier?.lines ?? NONE;
  const isEnd = earlier !== null && earlier.cursor === null;
  return {
    lines,
    rest,
    keptFrom,
    hasMore: keptFrom !== null && isLive && !isEnd && lines.length < MAX_SHOWN,
    isFetching,
    error,
    more: () => void more(),
    all,
  };
}

function pageOf(
  { hostId, cursor = null }: { readonly hostId: string; readonly cursor?: number | null },
  shown: readonly LogLine[],
): Promise<Result<KeptLogsPage>> {
  const before = oldestAt(shown);
  return callApi(routes.keptLogs, {
    query: {
      hostId,
      ...(before !== null && cursor === null && { before }),
      ...(cursor !== null && { cursor }),
    },
  });
}
