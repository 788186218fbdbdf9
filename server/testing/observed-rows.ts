import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { ObservedActivity } from '../domain/ports.ts';

/** A finished request as a host tells it; later ones end later. */
export function observedRow(id: number, endedAt = 1_000 + id): ObservedActivity {
  return {
    id,
    modelId: 'coder',
    path: '/v1/chat/completions',
    endedAt,
    status: 200,
    inputTokens: 10,
    outputTokens: 5,
    cachedTokens: null,
    promptPerSecond: null,
    tokensPerSecond: 60,
    durationMs: 100,
    hasCapture: false,
    error: null,
    source: null,
    sourceCertainty: 'unknown',
  };
}

/** The requests `fromId`…`toId`. */
export function observedRows(fromId: number, toId: number): ObservedActivity[] {
  return Array.from({ length: toId - fromId + 1 }, (_, index) => observedRow(fromId + index));
}

/** Rows as short words: `0/7`, `gap 0/8…9 ring_wrapped`. */
export function rowNames(rows: readonly ActivityRow[]): string[] {
  return rows.map((row) =>
    row.type === 'request'
      ? `${row.idEpoch}/${row.id}`
      : `gap ${row.idEpoch}/${row.fromId ?? '?'}…${row.toId ?? '?'} ${row.reason}`,
  );
}
