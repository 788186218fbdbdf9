import { csvOf } from './chart-csv.ts';
import type { ModelLane } from './model-lanes.ts';

/** A stretch of a model's state, or a moment at which its start failed, as table and CSV have it. */
export interface LaneRow {
  readonly modelId: string;
  readonly state: string;
  readonly from: number;
  /** Null: a moment. */
  readonly to: number | null;
  readonly reason: string | null;
}

/** Everything that lanes show but the marks of single requests, newest first. */
export function laneRows(lanes: readonly ModelLane[]): readonly LaneRow[] {
  const rows = lanes.flatMap(({ modelId, spans, failures }) => [
    ...spans
      .filter(({ kind }) => kind !== 'off')
      .map(({ kind, from, to }): LaneRow => ({ modelId, state: kind, from, to, reason: null })),
    ...failures.map(({ at, reason }): LaneRow => ({ modelId, state: 'failed', from: at, to: null, reason })),
  ]);
  return rows.sort((a, b) => b.from - a.from);
}

/** The same as CSV, oldest first. */
export function laneCsv(lanes: readonly ModelLane[]): string {
  const time = (at: number | null): string => (at === null ? '' : new Date(Math.round(at)).toISOString());
  const lines = laneRows(lanes)
    .toReversed()
    .map(({ modelId, state, from, to, reason }) => [modelId, state, time(from), time(to), reason ?? '']);
  return csvOf([['model', 'state', 'from', 'to', 'reason'], ...lines]);
}
