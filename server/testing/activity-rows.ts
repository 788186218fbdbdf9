import type { ActivityGap, ActivityRequest } from '#shared/schemas/activity.ts';

/** A plausible request row; what a test is about goes into `changes`. */
export function requestRow(changes: Partial<ActivityRequest> = {}): ActivityRequest {
  return {
    type: 'request',
    hostId: 'box',
    idEpoch: 0,
    id: 1,
    modelId: 'qwen3-30b',
    path: '/v1/chat/completions',
    endedAt: Date.UTC(2026, 10, 30, 12),
    status: 200,
    inputTokens: 812,
    outputTokens: 214,
    cachedTokens: 500,
    promptPerSecond: 1830.25,
    tokensPerSecond: 41.5,
    durationMs: 5921,
    hasCapture: false,
    error: null,
    source: null,
    sourceCertainty: 'unknown',
    ...changes,
  };
}

/** A gap of ids 10 to 20; what a test is about goes into `changes`. */
export function gapRow(changes: Partial<ActivityGap> = {}): ActivityGap {
  const to = changes.to ?? Date.UTC(2026, 10, 30, 12);
  return {
    type: 'gap',
    hostId: 'box',
    idEpoch: 0,
    fromId: 10,
    toId: 20,
    from: null,
    to,
    reason: 'ring_wrapped',
    endedAt: to,
    ...changes,
  };
}

/** `count` requests with ids from `firstId`, one second apart. */
export function requestRows(
  count: number,
  changes: Partial<ActivityRequest> & { readonly firstId?: number } = {},
): ActivityRequest[] {
  const { firstId = 1, ...fields } = changes;
  const start = fields.endedAt ?? Date.UTC(2026, 10, 30, 12);
  return Array.from({ length: count }, (_, index) =>
    requestRow({ ...fields, id: firstId + index, endedAt: start + index * 1000 }),
  );
}
