import type { LastUses } from '../../data/last-uses.ts';

/** What a row says of how long its model stays loaded. */
export type TtlView =
  /** It stays until somebody unloads it or another one needs the room. */
  | { readonly kind: 'never' }
  /** How long after its last request; when that was is not known well enough. */
  | { readonly kind: 'configured'; readonly ttlMs: number }
  /** An estimate: counted from the last request that was recorded. */
  | { readonly kind: 'left'; readonly leftMs: number; readonly ttlMs: number };

/** A model that is ready and idle, with its time to live. */
export interface TtlFacts {
  readonly hostId: string;
  /** Its id and its aliases. */
  readonly names: readonly string[];
  readonly since: number | null;
  readonly ttlMs: number;
  /** Whether it is known that nothing runs on it: while something does, llama-swap does not count. */
  readonly isIdle: boolean;
}

/**
 * How much longer an idle model stays loaded. llama-swap counts from the end of its last request; requests that are not
 * recorded (those of other paths, GETs) put it off, so that this is never exact, and what should be over is not claimed.
 */
export function ttlView(facts: TtlFacts, uses: LastUses | null, now: number): TtlView {
  const { hostId, names, since, ttlMs, isIdle } = facts;
  if (ttlMs === 0) return { kind: 'never' };
  const configured = { kind: 'configured', ttlMs } as const;
  if (!isIdle || uses === null) return configured;
  const usedAt = Math.max(uses.endOf(hostId, names) ?? 0, since ?? 0);
  // Another request may have come since then, unseen.
  if (usedAt === 0 || uses.wholeSince(hostId) > usedAt) return configured;
  const leftMs = usedAt + ttlMs - now;
  return leftMs <= 0 ? configured : { kind: 'left', leftMs: Math.min(leftMs, ttlMs), ttlMs };
}
