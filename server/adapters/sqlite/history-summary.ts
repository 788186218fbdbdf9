import type {
  ActivitySummary,
  ActivitySummaryQuery,
  OptionCount,
  SourceSum,
} from '#shared/schemas/activity.ts';
import type { FacetParts } from './facet-index.ts';
import { isTimeline } from './history-search.ts';
import type { HistorySearch } from './history-search.ts';

/** Options of a filter, and sources: the most frequent are told. */
const MAX_OPTIONS = 200;
/** Rows added up by one statement: some milliseconds, between which the deadline is looked at. */
const STEP_ROWS = 100_000;

const LAST_SEQ = 'SELECT ifnull(max(seq), 0) AS seq FROM activity';
const SUMS = `SELECT facet_id AS facetId, source_matched AS matched, count(*) AS requests,
    sum(input_tokens) AS inputTokens, sum(output_tokens) AS outputTokens
  FROM activity WHERE seq > ? AND seq <= ? AND ended_at >= ? AND ended_at < ? GROUP BY facet_id, source_matched`;
const GAPS = `SELECT count(*) AS gaps FROM gap g JOIN host_ref h ON h.no = g.host_no
  WHERE g.to_at >= ? AND g.to_at < ? AND (? IS NULL OR h.host_id IN (SELECT value FROM json_each(?)))`;

interface FacetSum {
  readonly facetId: number;
  readonly matched: number;
  readonly requests: number;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** Counts what matches a filter, and what each choice of host, model and source would match beside the others. */
export function summarizeActivity(query: ActivitySummaryQuery, search: HistorySearch): ActivitySummary {
  const { facets, connection, checkDeadline } = search;
  facets.refresh(checkDeadline);
  const { hostId, modelId, source, ...rest } = query;
  const given = { ...(hostId && { hostId }), ...(modelId && { modelId }), ...(source && { source }) };
  const matching = (leftOut?: keyof typeof given) => {
    const filter = { ...rest, ...given };
    if (leftOut) delete filter[leftOut];
    const match = facets.matching(filter, checkDeadline);
    return (id: number): boolean => match === null || match.has(id);
  };
  const fits = matching();
  const menus = [
    { fits: matching('hostId'), counts: new Map<string, number>(), of: (facet: FacetParts) => facet.hostId },
    {
      fits: matching('modelId'),
      counts: new Map<string, number>(),
      of: (facet: FacetParts) => facet.modelId,
    },
    {
      fits: matching('source'),
      counts: new Map<string, number>(),
      of: (facet: FacetParts) => facet.source ?? '',
    },
  ] as const;
  const sums = new Map<string, SourceSum>();
  let requests = 0;
  let failed = 0;
  for (const sum of facetSums(query, search)) {
    const facet = facets.facet(sum.facetId);
    if (!facet) continue;
    for (const menu of menus) {
      if (!menu.fits(sum.facetId)) continue;
      const value = menu.of(facet);
      menu.counts.set(value, (menu.counts.get(value) ?? 0) + sum.requests);
    }
    if (!fits(sum.facetId)) continue;
    requests += sum.requests;
    if (facet.failed) failed += sum.requests;
    const key = facet.source ?? '';
    sums.set(key, added(sums.get(key), key, facet, sum));
  }
  const hosts = hostId === undefined ? null : JSON.stringify(hostId);
  const gaps = isTimeline(query)
    ? (connection.statement<{ gaps: number }>(GAPS).get(...bounds(query), hosts, hosts)?.gaps ?? 0)
    : 0;
  const [byHost, byModel, bySource] = menus.map(({ counts }) => mostFirst(counts));
  return {
    requests,
    failed,
    gaps,
    hosts: byHost ?? [],
    models: byModel ?? [],
    sources: bySource ?? [],
    bySource: [...sums.values()]
      .sort((a, b) => b.requests - a.requests || (a.source < b.source ? -1 : 1))
      .slice(0, MAX_OPTIONS),
  };
}

function* facetSums(
  query: ActivitySummaryQuery,
  { connection, checkDeadline }: HistorySearch,
): Generator<FacetSum> {
  const last = connection.statement<{ seq: number }>(LAST_SEQ).get()?.seq ?? 0;
  for (let from = 0; from < last; from += STEP_ROWS) {
    checkDeadline();
    yield* connection.statement<FacetSum>(SUMS).all(from, from + STEP_ROWS, ...bounds(query));
  }
}

function bounds({ from, to }: ActivitySummaryQuery): [number, number] {
  return [from ?? Number.MIN_SAFE_INTEGER, to ?? Number.MAX_SAFE_INTEGER];
}

function added(known: SourceSum | undefined, source: string, facet: FacetParts, sum: FacetSum): SourceSum {
  const isKnown = source !== '';
  return {
    source,
    requests: (known?.requests ?? 0) + sum.requests,
    failed: (known?.failed ?? 0) + (facet.failed ? sum.requests : 0),
    inputTokens: plus(known?.inputTokens ?? null, sum.inputTokens),
    outputTokens: plus(known?.outputTokens ?? null, sum.outputTokens),
    exact: (known?.exact ?? 0) + (isKnown && sum.matched === 0 ? sum.requests : 0),
    matched: (known?.matched ?? 0) + (isKnown && sum.matched === 1 ? sum.requests : 0),
  };
}

function plus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : a + b;
}

function mostFirst(counts: ReadonlyMap<string, number>): OptionCount[] {
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_OPTIONS);
}
