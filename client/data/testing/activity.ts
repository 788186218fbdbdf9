import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { ActivityRequest, ActivityRow } from '#shared/schemas/activity.ts';
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
    ...overrides,
  };
}

/** A sealed blob of rows as the collector makes it, with its manifest entry. */
export function segment(
  key: string,
  rows: readonly ActivityRow[],
): { readonly entry: SegmentEntry; readonly bytes: Uint8Array } {
  const bytes = new Uint8Array(gzipSync(encodeSegment('activity', rows)));
  const times = rows.map(({ endedAt }) => endedAt);
  return {
    bytes,
    entry: {
      kind: 'activity',
      key,
      rows: rows.length,
      bytes: bytes.byteLength,
      hash: createHash('sha256').update(bytes).digest('hex'),
      from: Math.min(...times),
      to: Math.max(...times),
    },
  };
}
