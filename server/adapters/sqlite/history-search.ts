import type {
  ActivityPage,
  ActivityQuery,
  ActivityRow,
  ActivitySummaryQuery,
} from '#shared/schemas/activity.ts';
import { AppError } from '../../errors.ts';
import { SELECT_GAP, SELECT_REQUEST, toGap, toRequest } from './activity-columns.ts';
import type { GapRow, RequestRow } from './activity-columns.ts';
import type { Connection } from './connection.ts';
import type { FacetIndex } from './facet-index.ts';
import type { FacetMatch } from './facet-match.ts';
import { decodeCursor, encodeCursor } from './history-cursor.ts';
import type { HistoryPosition } from './history-cursor.ts';

/** Rows looked at in order of time before a rare filter turns to its facets one by one. */
const WALK_ROWS = 6000;
/** Rows it is worth looking at for each facet that would have to be visited instead. */
const WALK_ROWS_PER_FACET = 16;
const WALK_ROWS_MOST = 40_000;
const FIRST_WALK_ROWS = 1000;

const WALK = `SELECT seq, ended_at AS endedAt, facet_id AS facetId FROM activity
  WHERE ended_at <= ? AND ended_at >= ? AND (ended_at < ? OR seq < ?) ORDER BY ended_at DESC, seq DESC LIMIT ?`;
const OF_FACET = `SELECT seq, ended_at AS endedAt FROM activity
  WHERE facet_id = ? AND ended_at <= ? AND ended_at >= ? AND (ended_at < ? OR seq < ?)
  ORDER BY ended_at DESC, seq DESC LIMIT ?`;
const BOUNDS = `SELECT f.id, f.last_ended_at AS last FROM json_each(?) j CROSS JOIN facet f ON f.id = j.value
  WHERE f.first_ended_at <= ? AND f.last_ended_at >= ? ORDER BY f.last_ended_at DESC`;
const GAPS = `${SELECT_GAP} WHERE g.to_at <= ? AND g.to_at >= ? AND (g.to_at < ? OR g.seq < ?)
  AND (? IS NULL OR h.host_id IN (SELECT value FROM json_each(?))) ORDER BY g.to_at DESC, g.seq DESC LIMIT ?`;
const ONE = `${SELECT_REQUEST} WHERE a.seq = ?`;

/** What a search reads with. */
export interface HistorySearch {
  readonly connection: Connection;
  readonly facets: FacetIndex;
  /** Throws when the query took too long; asked between statements, each of which is short. */
  readonly checkDeadline: () => void;
}

/** Answers one page of the feed: newest first by end time, later received first among equals. */
export function searchActivity(query: ActivityQuery, search: HistorySearch): ActivityPage {
  const lowest = query.from ?? Number.MIN_SAFE_INTEGER;
  const start: HistoryPosition = query.cursor
    ? decodeCursor(query.cursor)
    : { endedAt: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };
  // `to` is exclusive: nothing of that millisecond or later.
  const bounded = query.to !== undefined && query.to <= start.endedAt ? { endedAt: query.to, seq: 0 } : start;
  const wanted = query.limit + 1;

  const facets = search.facets.matching(query, search.checkDeadline);
  const requests = findRequests({ start: bounded, lowest, wanted, facets }, search);
  // A gap says that rows are missing, not which: it cannot fit a filter on what a row holds.
  const gaps = isTimeline(query) ? findGaps({ start: bounded, lowest, wanted }, query.hostId, search) : [];
  const found = [...requests, ...gaps].sort(newestFirst).slice(0, wanted);
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return {
    rows: page.flatMap((item) => readRow(item, search)),
    nextCursor: found.length > query.limit && last ? encodeCursor(last) : null,
  };
}

interface Found extends HistoryPosition {
  readonly gap?: ActivityRow;
}

interface Window {
  readonly start: HistoryPosition;
  readonly lowest: number;
  readonly wanted: number;
}

/** True for a filter of host and time only. */
export function isTimeline(filter: ActivitySummaryQuery): boolean {
  const { modelId, statusClass, path, q, source } = filter;
  if (filter.failed === true) return false;
  return [modelId, statusClass, path, q || undefined, source].every((part) => part === undefined);
}

function findRequests(
  window: Window & { readonly facets: FacetMatch | null },
  search: HistorySearch,
): Found[] {
  const { facets, lowest, wanted } = window;
  if (facets?.size === 0) return [];
  const worthwhile = Math.min((facets?.size ?? 0) * WALK_ROWS_PER_FACET, WALK_ROWS_MOST);
  const mostRows = Math.max(WALK_ROWS, worthwhile);
  const found: Found[] = [];
  let position = window.start;
  let walked = 0;
  while (walked < mostRows) {
    search.checkDeadline();
    const chunk = walked === 0 ? FIRST_WALK_ROWS : Math.min(WALK_ROWS, mostRows - walked);
    const limit = facets === null ? wanted : chunk;
    const rows = search.connection
      .statement<Found & { facetId: number }>(WALK)
      .all(position.endedAt, lowest, position.endedAt, position.seq, limit);
    for (const row of rows) {
      if (facets === null || facets.has(row.facetId)) found.push({ endedAt: row.endedAt, seq: row.seq });
      if (found.length === wanted) return found;
    }
    const last = rows.at(-1);
    if (rows.length < limit || !last) return found;
    walked += rows.length;
    position = last;
  }
  if (facets === null) return found;
  const rest = findByFacet({ start: position, lowest, wanted: wanted - found.length, facets }, search);
  return [...found, ...rest];
}

/**
 * The rest of a page whose rows are rare: each facet's own index gives its newest rows. Facets are visited by the end
 * of their span, and the page is complete once it is full of rows newer than any facet left can have.
 */
function findByFacet(window: Window & { readonly facets: FacetMatch }, search: HistorySearch): Found[] {
  const { start, lowest, wanted, facets } = window;
  const candidates = search.connection
    .statement<{ id: number; last: number }>(BOUNDS)
    .all(JSON.stringify(facets.ids()), start.endedAt, lowest);
  let best: Found[] = [];
  for (const candidate of candidates) {
    search.checkDeadline();
    const worst = best.length === wanted ? best.at(-1) : undefined;
    if (worst && worst.endedAt > candidate.last) break;
    const from = Math.max(lowest, worst?.endedAt ?? lowest);
    const rows = search.connection
      .statement<Found>(OF_FACET)
      .all(candidate.id, start.endedAt, from, start.endedAt, start.seq, wanted);
    if (rows.length > 0) best = [...best, ...rows].sort(newestFirst).slice(0, wanted);
  }
  return best;
}

function findGaps(window: Window, hostIds: readonly string[] | undefined, search: HistorySearch): Found[] {
  const { start, lowest, wanted } = window;
  const hosts = hostIds === undefined ? null : JSON.stringify(hostIds);
  const rows = search.connection
    .statement<GapRow>(GAPS)
    .all(start.endedAt, lowest, start.endedAt, start.seq, hosts, hosts, wanted);
  return rows.map((row) => ({ endedAt: row.to_at, seq: row.seq, gap: toGap(row) }));
}

function newestFirst(a: HistoryPosition, b: HistoryPosition): number {
  return b.endedAt - a.endedAt || b.seq - a.seq;
}

function readRow(item: Found, search: HistorySearch): ActivityRow[] {
  if (item.gap) return [item.gap];
  const row = search.connection.statement<RequestRow>(ONE).get(item.seq);
  // Retention may have taken it since: the page is then one row shorter.
  return row ? [toRequest(row)] : [];
}

/** A deadline in milliseconds from now, on the thread's own clock. */
export function deadlineIn(durationMs: number): () => void {
  const end = performance.now() + durationMs;
  return () => {
    if (performance.now() > end) throw new AppError('timeout', 'The search took too long. Narrow it down.');
  };
}
