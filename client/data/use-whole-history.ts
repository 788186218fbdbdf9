import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { routes } from '#shared/http/routes.ts';
import type { ActivityPage, ActivityRow } from '#shared/schemas/activity.ts';
import { callApi } from './call-api.ts';
import { queryClient } from './query-client.ts';
import type { ActivityFeed, ActivityFilter, Result } from './types.ts';
import { useConnection } from './use-connection.ts';
import { wholeFeed } from './whole-feed.ts';

/** Rows of one page: a few screens. */
const PAGE_ROWS = 200;

/** A busy collector is asked once more, and every 10 s after that. */
const RETRY_MS = 10_000;

/** What the collector found in its whole history, so far. */
export interface WholeHistory {
  /** Rows fetched so far; its counts are of all that match, null until the collector has counted. */
  readonly feed: ActivityFeed;
  /** When the first page was answered, epoch milliseconds; null: not yet. */
  readonly askedAt: number | null;
  /** Why the collector could not be asked or did not answer; null when it did, or will. */
  readonly problem: string | null;
  /** Why it did not count what matches; null when it did, or will. */
  readonly countsProblem: string | null;
  /** Fetches the next page; null when there is none, it is on its way, or it failed and `again` is needed. */
  readonly more: (() => void) | null;
  readonly isFetching: boolean;
  readonly again: () => void;
}

/** Every row the collector keeps that matches, newest first, page by page. `isWanted` false: nothing is asked. */
export function useWholeHistory(filter: ActivityFilter, isWanted: boolean): WholeHistory {
  const { kind } = useConnection();
  const isLive = kind === 'live';
  const query = apiQuery(filter);
  const pages = useInfiniteQuery(
    {
      queryKey: ['activity', query],
      enabled: isWanted && isLive,
      initialPageParam: '',
      queryFn: async ({ pageParam, signal }) => {
        const cursor = pageParam === '' ? {} : { cursor: pageParam };
        const page = valueOf(
          await callApi(routes.activity, { query: { ...query, ...cursor, limit: PAGE_ROWS }, signal }),
        );
        return { ...page, answeredAt: Date.now() };
      },
      getNextPageParam: (last) => last.nextCursor,
      // Rows stand still while they are read, whatever fails meanwhile: who wants what ended since asks for it.
      staleTime: 'static',
      gcTime: 60_000,
      retry: 1,
      refetchInterval: ({ state }) =>
        state.status === 'error' && state.data === undefined ? RETRY_MS : false,
    },
    queryClient,
  );
  const summary = useQuery(
    {
      queryKey: ['activity-summary', query],
      enabled: isWanted && isLive,
      queryFn: async ({ signal }) => valueOf(await callApi(routes.activitySummary, { query, signal })),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60_000,
      retry: 1,
      refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : false),
    },
    queryClient,
  );
  return {
    feed: wholeFeed({
      pages: pages.data?.pages ?? null,
      // Numbers that could not be counted anew are of other rows than those beside them.
      summary: summary.isError ? null : (summary.data ?? null),
      isDone: pages.data !== undefined && !pages.hasNextPage,
      version: pages.dataUpdatedAt + summary.dataUpdatedAt + summary.errorUpdatedAt,
    }),
    askedAt: pages.data?.pages[0]?.answeredAt ?? null,
    problem: isLive ? (pages.error?.message ?? null) : 'The collector is away.',
    countsProblem: summary.error?.message ?? null,
    more:
      pages.hasNextPage && !pages.isFetching && !pages.isFetchNextPageError && isLive
        ? () => void pages.fetchNextPage()
        : null,
    isFetching: pages.isFetching,
    again: () => {
      void (pages.isFetchNextPageError ? pages.fetchNextPage() : pages.refetch());
      void summary.refetch();
    },
  };
}

/** All rows that match, for a file: page after page, at most `limit`; `isCut` when there are more. */
export async function fetchWholeHistory(
  filter: ActivityFilter,
  limit: number,
): Promise<{ readonly rows: readonly ActivityRow[]; readonly isCut: boolean }> {
  const rows: ActivityRow[] = [];
  let cursor: string | null = null;
  do {
    const page: ActivityPage = valueOf(await callApi(routes.activity, { query: pageQuery(filter, cursor) }));
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null && rows.length < limit);
  return { rows, isCut: cursor !== null };
}

function pageQuery(filter: ActivityFilter, cursor: string | null) {
  return { ...apiQuery(filter), limit: 500, ...(cursor === null ? {} : { cursor }) };
}

function apiQuery({ hostIds, modelIds, sources, failuresOnly, q }: ActivityFilter) {
  const text = (q ?? '').trim();
  return {
    ...(hostIds && { hostId: [...hostIds] }),
    ...(modelIds && { modelId: [...modelIds] }),
    ...(sources && { source: [...sources] }),
    ...(failuresOnly === true && { failed: true }),
    ...(text !== '' && { q: text }),
  };
}

function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(result.message);
}
