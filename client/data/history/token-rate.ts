/** What of a request says when it generated how much; NaN: not known. Times in ms. */
export interface Generated {
  readonly endedAt: number;
  readonly outputTokens: number;
  readonly tokensPerSecond: number;
  readonly durationMs: number;
}

/** Tokens by stretch of `stepMs`, the first of which begins at `from`. */
export interface TokenCells {
  readonly from: number;
  readonly stepMs: number;
  readonly tokens: Float64Array;
}

/**
 * How long a request generated before it ended: by its speed, as far as it lasted at all; by how long it lasted where it
 * tells no speed; 0 where it tells nothing.
 */
export function generationMs({ outputTokens, tokensPerSecond, durationMs }: Generated): number {
  const bySpeed = tokensPerSecond > 0 ? (outputTokens / tokensPerSecond) * 1000 : Number.NaN;
  const lasted = durationMs > 0 ? durationMs : Number.NaN;
  const known = [bySpeed, lasted].filter((ms) => !Number.isNaN(ms));
  return known.length === 0 ? 0 : Math.min(...known);
}

/** Spreads a request's tokens evenly over the time in which it generated them; true when it tells of any. */
export function spreadTokens({ from, stepMs, tokens }: TokenCells, request: Generated): boolean {
  const { outputTokens, endedAt } = request;
  if (!(outputTokens > 0)) return false;
  const ms = generationMs(request);
  const startedAt = endedAt - ms;
  const first = Math.floor((startedAt - from) / stepMs);
  const last = Math.floor((endedAt - from) / stepMs);
  for (let cell = Math.max(0, first); cell <= Math.min(tokens.length - 1, last); cell += 1) {
    const begin = Math.max(startedAt, from + cell * stepMs);
    const end = Math.min(endedAt, from + (cell + 1) * stepMs);
    const share = ms === 0 ? 1 : (end - begin) / ms;
    tokens[cell] = (tokens[cell] ?? 0) + outputTokens * share;
  }
  return true;
}
