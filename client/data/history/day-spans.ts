import { dayBounds } from './local-day.ts';

/** A stretch of time: `from` ≤ at < `to`. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** The days of this device's zone as stretches; what is no day is left out. */
export function daySpans(days: readonly string[]): readonly TimeSpan[] {
  return days.flatMap((day) => dayBounds(day) ?? []);
}

/** True when rows between `from` and `to` (both inclusive) may lie in one of the stretches. */
export function touches({ from, to }: TimeSpan, spans: readonly TimeSpan[]): boolean {
  return spans.some((span) => from < span.to && to >= span.from);
}

/**
 * True when the larger part of a segment lies in the stretches. Sealed days are those of UTC: in most zones each of them
 * reaches over midnight, so a day could never be taken away if all of a segment had to lie in it.
 */
export function liesMostlyIn({ from, to }: TimeSpan, spans: readonly TimeSpan[]): boolean {
  if (to <= from) return touches({ from, to }, spans);
  const inside = spans.reduce(
    (sum, span) => sum + Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)),
    0,
  );
  return inside * 2 >= to - from;
}
