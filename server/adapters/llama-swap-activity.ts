import { upstreamActivityPage } from '#shared/upstream/activity-row.ts';
import { mapActivityRows, type MappedActivity } from '../domain/map-activity.ts';
import type { HostFeatures, ObservedActivity, UpstreamResult } from '../domain/ports.ts';
import { readReply, type UpstreamHttp } from './upstream-http.ts';

const RING_TIMEOUT_MS = 20_000;
const RING_MAX_BYTES = 32 * 1024 * 1024;
const PAGE_TIMEOUT_MS = 15_000;
const PAGE_MAX_BYTES = 8 * 1024 * 1024;
/** llama-swap's own limit of a page. */
const MAX_PAGE_ROWS = 999;
/** What a burst leaves behind fits in one page of this size, mostly. */
const CATCH_UP_ROWS = 200;

/** The whole ring of a host up to v235, ascending by id; `onUnreadable` hears of rows that were lost. */
export async function fetchRing(
  http: UpstreamHttp,
  signal: AbortSignal,
  onUnreadable: (count: number) => void,
): Promise<UpstreamResult<readonly ObservedActivity[]>> {
  const reply = await http.get('/api/metrics', {
    signal,
    timeoutMs: RING_TIMEOUT_MS,
    maxBytes: RING_MAX_BYTES,
  });
  const ring = readReply(reply, mapActivityRows, http.secrets());
  if (!ring.ok) return ring;
  if (ring.value.unreadable > 0) onUnreadable(ring.value.unreadable);
  return { ...ring, value: ring.value.rows.toSorted((a, b) => a.id - b.id) };
}

/** What `fetchActivityAfter` is asked for. */
export interface ActivityRequestOptions {
  readonly afterId: number | null;
  /** So many of the newest rows at most. */
  readonly limit: number;
  readonly features: Pick<HostFeatures, 'activityRange'>;
  readonly signal: AbortSignal;
  readonly onUnreadable: (count: number) => void;
}

/**
 * Rows with an id above `afterId` that a host since v236 lists, ascending; `complete` is false when there are more than
 * `limit`. Pages go from the newest down until the known id is reached, because rows that arrive meanwhile only push
 * others to a later page, where they are met a second time; nothing is skipped.
 */
export async function fetchActivityAfter(
  http: UpstreamHttp,
  options: ActivityRequestOptions,
): Promise<UpstreamResult<{ readonly rows: readonly ObservedActivity[]; readonly complete: boolean }>> {
  const { afterId } = options;
  const limit = Math.max(1, options.limit);
  const maxRows = Math.min(MAX_PAGE_ROWS, limit);
  // Mostly a small page suffices; when it does not, the listing is read again in as few pages as there can be.
  if (afterId !== null && maxRows > CATCH_UP_ROWS) {
    const first = await fetchPages(http, { ...options, limit, pageRows: CATCH_UP_ROWS, maxPages: 1 });
    if (!first.ok || first.value.complete) return first;
  }
  // One page more than the limit needs: rows that arrive between two pages repeat others.
  return await fetchPages(http, {
    ...options,
    limit,
    pageRows: maxRows,
    maxPages: Math.ceil(limit / maxRows) + 1,
  });
}

async function fetchPages(
  http: UpstreamHttp,
  options: ActivityRequestOptions & { readonly pageRows: number; readonly maxPages: number },
): Promise<UpstreamResult<{ readonly rows: readonly ObservedActivity[]; readonly complete: boolean }>> {
  const { afterId, limit, pageRows } = options;
  const byId = new Map<number, ObservedActivity>();
  const range = options.features.activityRange && afterId !== null ? `&min_id=${Math.max(1, afterId)}` : '';
  let clockOffsetMs: number | null = null;
  let unreadableRows = 0;
  let complete = false;
  for (let page = 1; page <= options.maxPages && !complete && byId.size <= limit; page += 1) {
    const path = `/api/metrics/activity?limit=${pageRows}&page=${page}&sort=id&order=desc${range}`;
    const reply = await http.get(path, {
      signal: options.signal,
      timeoutMs: PAGE_TIMEOUT_MS,
      maxBytes: PAGE_MAX_BYTES,
    });
    const result = readReply(reply, readPage, http.secrets());
    if (!result.ok) return result;
    clockOffsetMs ??= result.clockOffsetMs;
    const { rows, unreadable } = result.value;
    unreadableRows += unreadable;
    for (const row of rows) if (afterId === null || row.id > afterId) byId.set(row.id, row);
    const reachedKnown = afterId !== null && rows.some((row) => row.id <= afterId);
    complete = reachedKnown || rows.length + unreadable < pageRows;
  }
  if (unreadableRows > 0) options.onUnreadable(unreadableRows);
  return { ok: true, value: newest(byId, limit, complete), clockOffsetMs };
}

function newest(byId: ReadonlyMap<number, ObservedActivity>, limit: number, reached: boolean) {
  const rows = [...byId.values()].sort((a, b) => a.id - b.id);
  return { rows: rows.slice(Math.max(0, rows.length - limit)), complete: reached && rows.length <= limit };
}

function readPage(json: unknown): MappedActivity | null {
  const page = upstreamActivityPage.safeParse(json);
  return page.success ? mapActivityRows(page.data.data) : null;
}
