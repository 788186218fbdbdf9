import type { HeldTimeline } from '../../data/history/held-timeline.ts';
import { formatRate, UNKNOWN } from '../../ui/format.ts';

/** A host's speed over the last half hour as its card draws it. */
export interface RateView {
  /** Lines between gaps: places from 0 to 1, to the right and up. */
  readonly lines: readonly (readonly { readonly x: number; readonly y: number }[])[];
  /** Where the dot stands: only where it goes on now. */
  readonly dot: { readonly x: number; readonly y: number } | null;
  /** `84.0 t/s`, `–`. */
  readonly words: string;
}

/** What it is derived from; times are the collector's. */
export interface RateFacts {
  readonly held: HeldTimeline;
  readonly spanMs: number;
  /** When `held` was read. */
  readonly now: number;
  /** Until when requests of the host are known: now, or when it or the collector was last heard. */
  readonly knownUntil: number;
  readonly isLive: boolean;
  /** Requests that run on the host now; null: it does not say. */
  readonly running: number | null;
}

/** A minute's tokens are drawn at their share of the highest minute; below this all is low. */
const LOWEST_TOP = 1;

/** Derives it; null where nothing of the time is known, or the host tells no tokens. */
export function rateView({ held, spanMs, now, knownUntil, isLive, running }: RateFacts): RateView | null {
  const { from, tokens, tokenStepMs, heldFrom, gaps, tellsTokens, requests } = held;
  // Requests of which none tells its tokens: an old host, an embedding model. No speed can be told.
  if (!tellsTokens && requests.some((count) => count > 0)) return null;
  const startsAt = now - spanMs;
  const isKnown = (at: number, count: number): boolean => {
    const until = at + tokenStepMs;
    if (heldFrom === null || until <= heldFrom || at >= knownUntil) return false;
    return count > 0 || !gaps.some((gap) => until > (gap.from ?? gap.to) && at < gap.to);
  };
  const points = tokens.flatMap((count, place): { at: number; rate: number | null }[] => {
    const at = from + place * tokenStepMs;
    const middle = at + tokenStepMs / 2;
    // The minute that runs is told by the number, not by a line that seems to fall.
    if (at + tokenStepMs > now || middle < startsAt) return [];
    return [{ at: middle, rate: isKnown(at, count) ? count / (tokenStepMs / 1000) : null }];
  });
  if (points.every(({ rate }) => rate === null)) return null;
  const ended = lastMinute(held, now);
  // Tokens are told when a request has ended: no speed of what still runs is known, and it is not 0.
  const rate = isLive && (ended > 0 || running === 0) ? ended : null;
  const top = Math.max(LOWEST_TOP, rate ?? 0, ...points.map((point) => point.rate ?? 0));
  const placeOf = (at: number, value: number) => ({ x: (at - startsAt) / spanMs, y: value / top });
  const lines: { x: number; y: number }[][] = [[]];
  for (const point of points) {
    if (point.rate === null) lines.push([]);
    else lines.at(-1)?.push(placeOf(point.at, point.rate));
  }
  const dot = rate === null ? null : placeOf(now, rate);
  if (dot !== null) lines.at(-1)?.push(dot);
  return {
    lines: lines.filter((line) => line.length > 0),
    dot,
    words: rate === null ? UNKNOWN : `${rate === 0 ? '0' : formatRate(rate)} t/s`,
  };
}

/** Tokens per second over about the last minute: the one that runs, and as much of the one before as it lacks. */
function lastMinute({ from, tokens, tokenStepMs }: HeldTimeline, now: number): number {
  const place = Math.floor((now - from) / tokenStepMs);
  const share = (now - from) / tokenStepMs - place;
  const count = (tokens[place] ?? 0) + (tokens[place - 1] ?? 0) * (1 - share);
  return count / (tokenStepMs / 1000);
}
