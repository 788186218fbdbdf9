/** A stretch of time. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Shorter than this nothing is to be seen. */
const MIN_SPAN_MS = 60_000;
/** How far back one can go from now: what a device keeps by itself. */
const REACH_MS = 30 * 24 * 3_600_000;

/** Half or twice of what is shown, around a moment; null: as much as `whole`, which is then shown itself. */
export function zoomed(
  shown: Stretch,
  whole: Stretch,
  step: { readonly factor: number; readonly at: number },
): Stretch | null {
  const span = Math.max(MIN_SPAN_MS, (shown.to - shown.from) * step.factor);
  if (span >= whole.to - whole.from) return null;
  const share = (step.at - shown.from) / (shown.to - shown.from);
  return moved({ from: step.at - span * share, to: step.at + span * (1 - share) }, whole);
}

/** What is shown, earlier (below 0) or later; never later than `whole`, which ends now, and not before what is kept. */
export function panned(shown: Stretch, whole: Stretch, byMs: number): Stretch {
  return moved({ from: shown.from + byMs, to: shown.to + byMs }, whole);
}

/** A stretch that was drawn over; never too short to be seen. */
export function within(wanted: Stretch, whole: Stretch): Stretch | null {
  const middle = (wanted.from + wanted.to) / 2;
  const span = Math.max(MIN_SPAN_MS, wanted.to - wanted.from);
  return zoomed({ from: middle - span / 2, to: middle + span / 2 }, whole, { factor: 1, at: middle });
}

/** What is shown so that a moment lies in it: the same where it does, else moved by half of it. */
export function following(shown: Stretch, whole: Stretch, at: number): Stretch {
  if (at >= shown.from && at <= shown.to) return shown;
  const span = shown.to - shown.from;
  return moved({ from: at - span / 2, to: at + span / 2 }, whole);
}

/** The next moment of `times` from `at` by so many of them, within `reach`; `at` itself where there is none. */
export function stepCursor(
  times: readonly number[],
  reach: Stretch,
  move: { at: number; by: number },
): number {
  const first = times.findIndex((time) => time >= reach.from);
  const last = times.findLastIndex((time) => time <= reach.to);
  if (first < 0 || last < first) return move.at;
  const { at, by } = move;
  // From between two moments the first step is to the next of them.
  const from = by > 0 ? times.findLastIndex((time) => time <= at) : times.findIndex((time) => time >= at);
  const place = from < 0 ? (by > 0 ? first - 1 : last + 1) : from;
  return times[Math.min(last, Math.max(first, place + by))] ?? at;
}

function moved({ from, to }: Stretch, whole: Stretch): Stretch {
  const span = to - from;
  const end = Math.min(whole.to, Math.max(to, whole.to - REACH_MS + span));
  return { from: end - span, to: end };
}
