import { routes } from '#shared/http/routes.ts';
import type { PerformanceAnswer } from '#shared/schemas/performance.ts';
import { callApi } from './call-api.ts';
import { heldPerformanceCell } from './held-performance-state.ts';
import type { HeldPerformance, PerformanceSpan } from './history/held-performance.ts';

/** Samples of a span of time, and where they are from. */
export interface PerformanceHistory {
  readonly answer: PerformanceAnswer;
  /** `device`: five minutes each, from this device's copy, because the collector did not answer. */
  readonly source: 'collector' | 'device';
  /** How far this device's copy reaches, on the host's clock; null: it holds none, or was not asked. */
  readonly heldFrom: number | null;
  readonly heldTo: number | null;
  /** Why the collector did not answer; null where it did. */
  readonly problem: string | null;
}

const NONE: HeldPerformance = {
  answer: { stepMs: 0, system: [], gpus: [] },
  heldFrom: null,
  heldTo: null,
};

/** Asks the collector, and this device where it cannot answer. Never rejects. */
export async function readPerformance(
  span: PerformanceSpan,
  options: { readonly isLive: boolean; readonly signal?: AbortSignal },
): Promise<PerformanceHistory> {
  const { signal } = options;
  const answer = options.isLive
    ? await callApi(routes.performance, { query: { ...queryOf(span) }, ...(signal && { signal }) })
    : null;
  if (answer?.ok) {
    return { answer: answer.value, source: 'collector', heldFrom: null, heldTo: null, problem: null };
  }
  const held = await heldPerformanceCell.get()?.(span);
  return { ...(held ?? NONE), source: 'device', problem: answer?.message ?? 'The collector is away.' };
}

function queryOf({ hostId, from, to }: PerformanceSpan) {
  return { hostId, from: Math.round(from), to: Math.round(to) };
}
