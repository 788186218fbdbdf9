import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { ActivityRequest, ActivityRow } from '#shared/schemas/activity.ts';
import type { ModelEvent } from '#shared/schemas/model.ts';
import type { SegmentEntry } from '#shared/schemas/segment.ts';
import { encodeSegment } from '#sync/segment-codec.ts';

/** A request that ended well, unless told otherwise. */
export function request(overrides: Partial<ActivityRequest> = {}): ActivityRequest {
  return {
    type: 'request',
    hostId: 'marlin',
    idEpoch: 1,
    id: 1,
    modelId: 'coder',
    path: '/v1/chat/completions',
    endedAt: 1_780_000_000_000,
    status: 200,
    inputTokens: 10,
    outputTokens: 20,
    cachedTokens: null,
    promptPerSecond: 100,
    tokensPerSecond: 50,
    durationMs: 900,
    hasCapture: false,
    error: null,
    source: null,
    sourceCertainty: overrides.source == null ? 'unknown' : 'exact',
    ...overrides,
  };
}

/** A sealed blob of rows as the collector makes it, with its manifest entry. */
export function segment(key: string, rows: readonly ActivityRow[]): SealedRows {
  const times = rows.map(({ endedAt }) => endedAt);
  return sealed({ kind: 'activity', key, rows: rows.length, times }, encodeSegment('activity', rows));
}

/** The same of transitions of models. */
export function eventSegment(key: string, rows: readonly ModelEvent[]): SealedRows {
  const times = rows.map(({ at }) => at);
  return sealed({ kind: 'model-events', key, rows: rows.length, times }, encodeSegment('model-events', rows));
}

/** See {@link segment}. */
export interface SealedRows {
  readonly entry: SegmentEntry;
  readonly bytes: Uint8Array;
}

function sealed(
  facts: Pick<SegmentEntry, 'kind' | 'key' | 'rows'> & { readonly times: readonly number[] },
  encoded: Uint8Array,
): SealedRows {
  const { times, ...named } = facts;
  const bytes = new Uint8Array(gzipSync(encoded));
  const hash = createHash('sha256').update(bytes).digest('hex');
  const span = { from: Math.min(...times), to: Math.max(...times) };
  return { bytes, entry: { ...named, bytes: bytes.byteLength, hash, ...span } };
}
