import type { EraTraits } from './era.ts';

/** llama.cpp's `timings`, as far as it is read. */
export interface Timings {
  readonly cache_n: number;
  readonly prompt_n: number;
  readonly prompt_ms: number;
  readonly prompt_per_token_ms: number;
  readonly prompt_per_second: number;
  readonly predicted_n: number;
  readonly predicted_ms: number;
  readonly predicted_per_token_ms: number;
  readonly predicted_per_second: number;
  readonly draft_n?: number;
  readonly draft_n_accepted?: number;
}

/** What a finished answer said about itself; null parts were not sent. */
export interface ReportedUsage {
  readonly usage: {
    readonly promptTokens: number;
    readonly outputTokens: number;
    readonly cachedTokens: number | null;
  } | null;
  readonly timings: Timings | null;
  readonly vllm: { readonly timeToFirstTokenMs: number; readonly meanItlMs: number } | null;
}

/** Token columns of an activity row with the wire's sentinels: −1 unknown in a parsed row, 0 everywhere in a minimal one. */
export interface RowTokens {
  readonly cached: number;
  readonly draft: number;
  readonly draftAccepted: number;
  readonly input: number;
  readonly output: number;
  readonly promptPerSecond: number;
  readonly tokensPerSecond: number;
}

/** Row of an error, an empty body or an answer without usage. */
export const MINIMAL_TOKENS: RowTokens = {
  cached: 0,
  draft: 0,
  draftAccepted: 0,
  input: 0,
  output: 0,
  promptPerSecond: 0,
  tokensPerSecond: 0,
};

/** Reads an answer's usage as the host's meter does; null when there is nothing to read. */
export function rowTokens(
  reported: ReportedUsage,
  rules: Pick<EraTraits, 'timingsCountTokens' | 'usageCountsCache' | 'vllmMetrics'>,
): RowTokens | null {
  const { usage, timings, vllm } = reported;
  if (timings && rules.timingsCountTokens) {
    return {
      cached: timings.cache_n,
      draft: timings.draft_n ?? -1,
      draftAccepted: timings.draft_n_accepted ?? -1,
      input: timings.prompt_n,
      output: timings.predicted_n,
      promptPerSecond: timings.prompt_per_second,
      tokensPerSecond: timings.predicted_per_second,
    };
  }
  if (!usage) return null;
  const cached = (rules.usageCountsCache ? usage.cachedTokens : null) ?? -1;
  const measured = rules.vllmMetrics ? vllm : null;
  return {
    cached,
    draft: -1,
    draftAccepted: -1,
    input: usage.promptTokens,
    output: usage.outputTokens,
    promptPerSecond: measured
      ? (usage.promptTokens - Math.max(cached, 0)) / (measured.timeToFirstTokenMs / 1000)
      : -1,
    tokensPerSecond: measured ? 1000 / measured.meanItlMs : (timings?.predicted_per_second ?? -1),
  };
}
