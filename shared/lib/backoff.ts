/** Bounds of an exponential backoff, in milliseconds. */
export interface BackoffBounds {
  readonly minMs: number;
  readonly maxMs: number;
}

/**
 * Delay before retry number `attempt` (1 = first), in milliseconds: doubles from `minMs` up to `maxMs`, then
 * "equal jitter": half of it fixed, half scaled by `jitter` (0 ≤ jitter < 1), so that a fleet does not retry in step.
 */
export function backoffDelayMs(attempt: number, jitter: number, bounds: BackoffBounds): number {
  const exponent = Math.min(Math.max(attempt, 1) - 1, 30);
  const ceiling = Math.min(bounds.maxMs, bounds.minMs * 2 ** exponent);
  const half = ceiling / 2;
  return Math.max(bounds.minMs, Math.round(half + half * jitter));
}
