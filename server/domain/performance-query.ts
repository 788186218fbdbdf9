import { ROLLUP_MS } from '#shared/schemas/performance.ts';
import type { PerformanceQuery } from '#shared/schemas/performance.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Stretches of an answer at most, each series. */
const MAX_POINTS = 20_000;
/** Every single sample is given for a day at most, and the hour that summer time adds to one. */
const MAX_RAW_SPAN_MS = 26 * HOUR_MS;
/** Points a chosen step aims at: more than a chart has pixels. */
const GOOD_POINTS = 2_000;
const GOOD_STEPS_MS = [0, 60_000, ROLLUP_MS, 900_000, HOUR_MS, 6 * HOUR_MS, DAY_MS];
const SAMPLE_MS = 5_000;

/** What is read: samples themselves or their rollups, with `from` at the begin of a stretch. */
export interface PerformanceRead {
  readonly hostId: string;
  readonly from: number;
  readonly to: number;
  /** 0: every sample. */
  readonly stepMs: number;
  readonly source: 'samples' | 'rollups';
}

/** What a query means, or why it has no answer. Samples that are dropped by now are answered from rollups. */
export function resolvePerformanceQuery(
  query: PerformanceQuery,
  moment: { readonly now: number; readonly rawHours: number },
): { readonly ok: true; readonly read: PerformanceRead } | { readonly ok: false; readonly problem: string } {
  const to = query.to ?? moment.now;
  const from = query.from ?? to - HOUR_MS;
  if (from >= to) return problem('"from" has to lie before "to".');
  const spanMs = to - from;
  const stepMs =
    query.step ?? GOOD_STEPS_MS.find((step) => spanMs / (step || SAMPLE_MS) <= GOOD_POINTS) ?? DAY_MS;
  if (stepMs > 0 && stepMs < SECOND_MS) return problem('"step" is 0, for every sample, or at least 1000 ms.');
  const areGone = from < moment.now - moment.rawHours * HOUR_MS;
  const source = areGone || stepMs >= ROLLUP_MS ? 'rollups' : 'samples';
  if (source === 'samples' && stepMs === 0 && spanMs > MAX_RAW_SPAN_MS)
    return problem('Every sample can be had of 26 hours at a time; give a "step" for more.');
  // Rollups can be rolled up further, not taken apart.
  const kept = source === 'samples' ? stepMs : Math.max(1, Math.round(stepMs / ROLLUP_MS)) * ROLLUP_MS;
  if (kept > 0 && spanMs / kept > MAX_POINTS)
    return problem(
      `That is more than ${MAX_POINTS} stretches; give a "step" of ${Math.ceil(spanMs / MAX_POINTS)} ms or more.`,
    );
  const begin = kept === 0 ? from : Math.floor(from / kept) * kept;
  return { ok: true, read: { hostId: query.hostId, from: begin, to, stepMs: kept, source } };
}

function problem(text: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem: text };
}
