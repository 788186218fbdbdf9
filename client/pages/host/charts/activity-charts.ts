import type { HeldTimeline } from '../../../data/history/held-timeline.ts';
import { formatAge } from '../../../ui/format.ts';
import type { ChartValues, ChartView } from './chart-view.ts';
import type { ChartGap } from './time-axis.ts';

/** The charts of a host's requests. */
export interface ActivityCharts {
  readonly charts: readonly ChartView[];
  /** What no request of this time told, in words. */
  readonly missing: readonly string[];
}

/** What {@link activityCharts} needs besides the rows. */
export interface ActivityFacts {
  readonly now: number;
  /** When nobody looked at the host: no request there is not the same as none known. */
  readonly unseen: readonly ChartGap[];
}

/** Less than this of a bucket says nothing of its speed yet. */
const MIN_SHARE = 0.3;

/** Derives the charts of what this device holds of a host's requests: how many, how many failed, how fast. */
export function activityCharts(held: HeldTimeline, facts: ActivityFacts): ActivityCharts {
  const requests = requestChart(held, facts);
  const generation = held.tellsTokens ? [generationChart(held, facts)] : [];
  const isAny = held.requests.some((count) => count > 0);
  return { charts: [requests, ...generation], missing: isAny && !held.tellsTokens ? ['Generation'] : [] };
}

function requestChart(held: HeldTimeline, facts: ActivityFacts): ChartView {
  const { from, bucketMs } = held;
  const times = momentsOf(held.requests.length, from, bucketMs).filter((at) => at <= facts.now);
  const isKnown = (place: number): boolean => {
    const at = from + place * bucketMs;
    return (held.requests[place] ?? 0) > 0 || isSeen(held, facts, { from: at, to: at + bucketMs });
  };
  const known = (counts: readonly number[]): ChartValues =>
    times.map((_at, place) => (isKnown(place) ? (counts[place] ?? 0) : null));
  return {
    key: 'requests',
    title: 'Requests',
    unit: `per ${formatAge(bucketMs)}`,
    digits: 0,
    kind: 'bars',
    times,
    gaps: gapsOf(held, facts),
    series: [
      { key: 'all', label: 'all', values: known(held.requests) },
      { key: 'failed', label: 'failed', values: known(held.failed) },
    ],
    top: null,
    limit: null,
  };
}

function generationChart(held: HeldTimeline, facts: ActivityFacts): ChartView {
  const { from, tokens, tokenStepMs } = held;
  const moments = momentsOf(tokens.length, from, tokenStepMs).filter((at) => at <= facts.now);
  const values = moments.map((at, place): number | null => {
    const lasted = Math.min(tokenStepMs, facts.now - at);
    const count = tokens[place] ?? 0;
    if (lasted < MIN_SHARE * tokenStepMs) return null;
    if (count === 0 && !isSeen(held, facts, { from: at, to: at + lasted })) return null;
    return count / (lasted / 1000);
  });
  return {
    key: 'generation',
    title: 'Generation',
    unit: 'tokens/s',
    digits: 1,
    kind: 'area',
    // A rate is that of the time around its moment.
    times: moments.map((at) => at + tokenStepMs / 2),
    gaps: gapsOf(held, facts),
    series: [{ key: 'all', label: 'all models', values }],
    top: null,
    limit: null,
  };
}

function momentsOf(count: number, from: number, stepMs: number): readonly number[] {
  return Array.from({ length: count }, (_, place) => from + place * stepMs);
}

/** Whether this device would know of requests in a stretch; of one that is half in a gap, or in which some were lost, not. */
function isSeen(
  { heldFrom, gaps }: HeldTimeline,
  { unseen }: ActivityFacts,
  { from, to }: ChartGap,
): boolean {
  if (heldFrom === null || to <= heldFrom) return false;
  if (gaps.some((gap) => gap.to > from && (gap.from ?? gap.to) < to)) return false;
  const middle = (from + to) / 2;
  return !unseen.some((gap) => middle > gap.from && middle < gap.to);
}

/** Where nothing is known: before what this device holds, while nobody looked, and of what was lost. */
function gapsOf(
  { from, requests, bucketMs, heldFrom, gaps }: HeldTimeline,
  { now, unseen }: ActivityFacts,
): readonly ChartGap[] {
  const to = Math.min(now, from + requests.length * bucketMs);
  const before = heldFrom === null ? to : Math.min(heldFrom, to);
  const lost = gaps.flatMap((gap) => (gap.from === null ? [] : [{ from: gap.from, to: gap.to }]));
  return [...(before > from ? [{ from, to: before }] : []), ...unseen, ...lost];
}
