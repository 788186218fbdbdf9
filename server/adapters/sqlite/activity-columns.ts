import { gapReason } from '#shared/schemas/activity.ts';
import type { ActivityGap, ActivityRequest } from '#shared/schemas/activity.ts';
import { certaintyOf } from '#sync/source-certainty.ts';

/** A request as the join of `activity`, `facet` and `host_ref` gives it. */
export interface RequestRow {
  seq: number;
  host_id: string;
  id_epoch: number;
  id: number;
  model_id: string;
  path: string | null;
  ended_at: number;
  status: number | null;
  input_tokens: number | null;
  output_tokens: number | null;
  cached_tokens: number | null;
  prompt_per_second: number | null;
  tokens_per_second: number | null;
  duration_ms: number | null;
  has_capture: number;
  error: string | null;
  source: string | null;
  source_matched: number;
}

/** A gap as the join of `gap` and `host_ref` gives it. */
export interface GapRow {
  seq: number;
  host_id: string;
  id_epoch: number;
  from_id: number | null;
  to_id: number | null;
  from_at: number | null;
  to_at: number;
  reason: string;
}

/** Columns and tables of a {@link RequestRow}; conditions follow. */
export const SELECT_REQUEST = `SELECT a.seq, h.host_id, a.id_epoch, a.id, f.model_id, f.path, a.ended_at, f.status,
    a.input_tokens, a.output_tokens, a.cached_tokens, a.prompt_per_second, a.tokens_per_second, a.duration_ms,
    a.has_capture, f.error, f.source, a.source_matched
  FROM activity a JOIN facet f ON f.id = a.facet_id JOIN host_ref h ON h.no = a.host_no`;

/** Columns and tables of a {@link GapRow}; conditions follow. */
export const SELECT_GAP = `SELECT g.seq, h.host_id, g.id_epoch, g.from_id, g.to_id, g.from_at, g.to_at, g.reason
  FROM gap g JOIN host_ref h ON h.no = g.host_no`;

/** A request row as the API and the segments have it. */
export function toRequest(row: RequestRow): ActivityRequest {
  return {
    type: 'request',
    hostId: row.host_id,
    idEpoch: row.id_epoch,
    id: row.id,
    modelId: row.model_id,
    path: row.path,
    endedAt: row.ended_at,
    status: row.status,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cachedTokens: row.cached_tokens,
    promptPerSecond: row.prompt_per_second,
    tokensPerSecond: row.tokens_per_second,
    durationMs: row.duration_ms,
    hasCapture: row.has_capture === 1,
    error: row.error,
    source: row.source,
    sourceCertainty: certaintyOf(row.source, row.source_matched === 1),
  };
}

/** A gap row as the API and the segments have it. */
export function toGap(row: GapRow): ActivityGap {
  return {
    type: 'gap',
    hostId: row.host_id,
    idEpoch: row.id_epoch,
    fromId: row.from_id,
    toId: row.to_id,
    from: row.from_at,
    to: row.to_at,
    reason: gapReason.parse(row.reason),
    endedAt: row.to_at,
  };
}
