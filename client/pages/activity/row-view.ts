import { assertNever } from '#shared/lib/assert.ts';
import type { ActivityGap, ActivityRequest, SourceCertainty } from '#shared/schemas/activity.ts';
import {
  formatClock,
  formatCount,
  formatDay,
  formatDuration,
  formatRate,
  formatTime,
  isSameDay,
  plural,
} from '../../ui/format.ts';

import { sourceWords } from '../frame/source-words.ts';

/** How a request went, for the row's shape. */
export type Outcome = 'done' | 'failed' | 'client-left' | 'unknown';

/** A request as its row shows it. */
export interface RequestRowView {
  readonly ended: string;
  /** The status code, `error` where only a text is known, or a dash. */
  readonly code: string;
  readonly outcome: Outcome;
  readonly model: string;
  readonly source: string | null;
  /** How sure the source is. */
  readonly certainty: SourceCertainty;
  /** Stands in place of the numbers; null: the numbers say it all. */
  readonly message: string | null;
  readonly tokens: string;
  readonly rate: string;
  readonly took: string;
  /** `88 out · 2.2 s`, for two lines. */
  readonly short: string;
}

/** Identity of a row over the whole fleet and over restarts. */
export function rowKey(
  row: ActivityGap | Pick<ActivityRequest, 'type' | 'hostId' | 'idEpoch' | 'id'>,
): string {
  return row.type === 'request'
    ? `${row.hostId} ${row.idEpoch} ${row.id}`
    : `gap ${row.hostId} ${row.idEpoch} ${row.fromId ?? ''} ${row.to}`;
}

/** True for what the failures filter keeps. */
export function isFailed(row: ActivityRequest): boolean {
  return (row.status !== null && row.status >= 400) || row.error !== null;
}

/** A request in words and numbers; `now` decides whether the time needs its day. */
export function requestRow(row: ActivityRequest, now: number): RequestRowView {
  const outcome = outcomeOf(row);
  const took = formatDuration(row.durationMs);
  return {
    ended: isSameDay(row.endedAt, now)
      ? formatTime(row.endedAt)
      : `${formatDay(row.endedAt, now).slice(0, 3)} ${formatTime(row.endedAt)}`,
    code: row.status === null ? (row.error === null ? '–' : 'error') : String(row.status),
    outcome,
    model: row.modelId === '' ? '(no model)' : row.modelId,
    source: row.source === null ? null : sourceWords(row.source),
    certainty: row.sourceCertainty,
    message: messageOf(row, outcome),
    tokens: `${formatCount(row.inputTokens)} → ${formatCount(outputTokens(row))}`,
    rate: formatRate(row.tokensPerSecond),
    took,
    short: shortNumbers(row, took),
  };
}

/** A gap in words: where, which time, how many, why. */
export function gapWords(gap: ActivityGap, now: number): string {
  const count = gap.fromId === null || gap.toId === null ? null : gap.toId - gap.fromId + 1;
  const day = isSameDay(gap.to, now) ? '' : `${formatDay(gap.to, now)}, `;
  const range =
    gap.from === null
      ? `${day}before ${formatClock(gap.to)}`
      : `${day}${formatClock(gap.from)} to ${formatClock(gap.to)}`;
  const many = count === null || count < 1 ? '' : `, ${plural(count, 'request')}`;
  return `${range}${many}. ${gapReasonWords(gap)}`;
}

/** How sure a source is, in words that say why. */
export function certaintyWords(certainty: SourceCertainty): string {
  switch (certainty) {
    case 'exact':
      return 'exact: the host says so';
    case 'matched':
      return 'matched: the only requests seen running that can have been this one came from it';
    case 'unknown':
      return 'unknown: the host does not say, or several requests could have been this one';
    default:
      return assertNever(certainty);
  }
}

function gapReasonWords(gap: ActivityGap): string {
  switch (gap.reason) {
    case 'ring_wrapped':
      return 'More ran than the host remembers: what ran then is not known.';
    case 'host_restarted':
      return 'The host restarted while the stream was cut: what ran then is not known.';
    case 'backfill_limit':
      return 'Older than what is taken over from a host at once.';
    case 'not_listed':
      return 'The host did not list them: what ran then is not known.';
    default:
      return assertNever(gap.reason);
  }
}

function outcomeOf(row: ActivityRequest): Outcome {
  if (row.status === 499) return 'client-left';
  if (isFailed(row)) return 'failed';
  if (row.status === null) return 'unknown';
  const isCompletion = row.path?.includes('completions') ?? false;
  const hasNoTokens = row.outputTokens === 0 && (row.inputTokens === null || row.inputTokens === 0);
  return isCompletion && hasNoTokens ? 'client-left' : 'done';
}

function messageOf(row: ActivityRequest, outcome: Outcome): string | null {
  if (outcome === 'client-left') return row.error ?? 'client left before the first token';
  if (outcome !== 'failed') return null;
  return row.error ?? 'failed, the host gave no text';
}

/** Embedding, reranking and the like make no tokens: the 0 that hosts report for them is no count of anything. */
export function outputTokens(row: ActivityRequest): number | null {
  const makesNone = /\/(?:embeddings?|rerank(?:ing)?|tokenize)$/.test(row.path ?? '');
  return makesNone && row.outputTokens === 0 ? null : row.outputTokens;
}

function shortNumbers(row: ActivityRequest, took: string): string {
  const output = outputTokens(row);
  if (output !== null) return `${formatCount(output)} out · ${took}`;
  return row.inputTokens === null ? took : `${formatCount(row.inputTokens)} in · ${took}`;
}
