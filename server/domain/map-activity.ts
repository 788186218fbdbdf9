import { boundedText } from '#shared/lib/bounded-text.ts';
import { redactText } from '#shared/lib/redact.ts';
import { type UpstreamActivityRow, upstreamActivityRow } from '#shared/upstream/activity-row.ts';
import { readCount, readRows } from '#shared/upstream/lenient.ts';
import { parseRfc3339 } from '#shared/upstream/rfc3339.ts';
import type { ObservedActivity } from './upstream-event.ts';

const MAX_ID = 1024;
const MAX_PATH = 2048;
const MAX_ERROR = 500;
const MAX_SOURCE = 512;

/** Rows that could be read, and how many could not: without id, model or a readable time there is no row to keep. */
export interface MappedActivity {
  readonly rows: readonly ObservedActivity[];
  readonly unreadable: number;
}

/** Reads a list of activity rows of any era; null when `value` is no list. */
export function mapActivityRows(value: unknown): MappedActivity | null {
  const read = readRows(upstreamActivityRow, value);
  if (!read) return null;
  const rows: ObservedActivity[] = [];
  for (const row of read.rows) {
    const mapped = mapActivityRow(row);
    if (mapped) rows.push(mapped);
  }
  return { rows, unreadable: read.unreadable + read.rows.length - rows.length };
}

/** One activity row, with what is unknown as null; null when its time cannot be read. */
export function mapActivityRow(row: UpstreamActivityRow): ObservedActivity | null {
  const endedAt = parseRfc3339(row.timestamp);
  if (endedAt === null || !Number.isSafeInteger(row.id)) return null;
  const counts = row.tokens ?? row;
  // An error, an empty answer, an image: the host knows no count and writes 0 for all of them.
  const minimal =
    !(counts.input_tokens ?? 0) &&
    !(counts.output_tokens ?? 0) &&
    (counts.cache_tokens ?? 0) <= 0 &&
    (counts.prompt_per_second ?? 0) <= 0 &&
    (counts.tokens_per_second ?? 0) <= 0;
  return {
    id: row.id,
    modelId: boundedText(row.model, MAX_ID),
    path: row.req_path ? boundedText(redactText(row.req_path.slice(0, MAX_PATH * 2)), MAX_PATH) : null,
    endedAt,
    status: readStatus(row.resp_status_code),
    inputTokens: minimal ? null : readCount(counts.input_tokens),
    outputTokens: minimal ? null : readCount(counts.output_tokens),
    cachedTokens: minimal ? null : readCount(counts.cache_tokens),
    promptPerSecond: readSpeed(counts.prompt_per_second),
    tokensPerSecond: isWallClockMix(row) ? null : readSpeed(counts.tokens_per_second),
    durationMs: readDuration(row),
    hasCapture: row.has_capture ?? false,
    error: row.error_msg ? boundedText(redactText(row.error_msg.slice(0, MAX_ERROR * 4)), MAX_ERROR) : null,
    source: row.src ? boundedText(row.src, MAX_SOURCE) : null,
    sourceCertainty: row.src ? 'exact' : 'unknown',
  };
}

function readSpeed(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
}

function readStatus(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 100 && value <= 999 ? value : null;
}

// Flat rows of v169–v208 time from the first byte of the answer, so 0 means "not measured" there; nested ones do not.
function readDuration(row: UpstreamActivityRow): number | null {
  const duration = readCount(row.duration_ms === null ? null : Math.round(row.duration_ms ?? -1));
  return duration === 0 && !row.tokens ? null : duration;
}

/**
 * v140 divides input *and* output tokens by the wall clock and calls it `tokens_per_second`. Rows without a
 * `prompt_per_second` (before v151) whose speed is that quotient say nothing about generation.
 */
function isWallClockMix(row: UpstreamActivityRow): boolean {
  const { tokens, prompt_per_second: promptSpeed, tokens_per_second: speed, duration_ms: durationMs } = row;
  if (tokens || typeof promptSpeed === 'number' || !speed || !durationMs) return false;
  const mix = (((row.input_tokens ?? 0) + (row.output_tokens ?? 0)) * 1000) / durationMs;
  return Math.abs(speed - mix) <= mix * 0.01;
}
