import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { RouteContract } from '#shared/http/define-route.ts';
import type { ApiReply, ApiRequest } from '../../data/call-api.ts';
import { callApi } from '../../data/call-api.ts';
import { queryClient } from '../../data/query-client.ts';
import { serverNow } from '../../data/server-clock.ts';
import { useConnection } from '../../data/use-connection.ts';

/** What a route answered, and when; the last good answer stays while later ones fail. */
export interface Answer<T> {
  readonly value: T | null;
  /** Collector time of `value`; null while there is none. */
  readonly at: number | null;
  /** Why the newest call failed, a sentence; null when it did not. */
  readonly problem: string | null;
  /** A call is under way. */
  readonly isAsking: boolean;
  readonly reload: () => void;
}

/** Reads a route while the page is open: again whenever the connection or `heard` changes, and on demand. */
export function useAnswer<C extends RouteContract>(
  contract: C,
  enabled = true,
  request: Pick<ApiRequest<C>, 'query'> = {},
  heard = 0,
): Answer<ApiReply<C>> {
  const { kind } = useConnection();
  const query = useQuery(
    {
      queryKey: [contract.path, request.query ?? null],
      queryFn: async ({ signal }) => {
        const answer = await callApi(contract, { ...request, signal });
        if (!answer.ok) throw new Error(answer.message);
        return { value: answer.value, at: serverNow() };
      },
      enabled,
      placeholderData: (previous) => previous,
    },
    queryClient,
  );
  const { refetch } = query;
  const asked = useRef(`${kind} ${heard}`);
  useEffect(() => {
    // Under one key, so that a question that fails leaves the last good answer where it is.
    if (!enabled || asked.current === `${kind} ${heard}`) return;
    asked.current = `${kind} ${heard}`;
    void refetch();
  }, [enabled, kind, heard, refetch]);
  return {
    value: query.data?.value ?? null,
    at: query.data?.at ?? null,
    problem: query.error?.message ?? null,
    isAsking: query.isFetching,
    reload: () => void refetch(),
  };
}
