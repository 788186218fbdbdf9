/** A stretch of time. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Shorter than this nothing is to be seen. */
const MIN_SPAN_MS = 60_000;

/** Half or twice of what is shown, around a moment, within `whole`; null: all of it. */
export function zoomed(
  shown: Stretch,
  whole: Stretch,
  step: { readonly factor: number; readonly at: number },
): Stretch | null {
  const span = Math.max(MIN_SPAN_MS, (shown.to - shown.from) * step.factor);
  if (span >= whole.to - whole.from) return null;
  const share = (step.at - shown.from) / (shown.to - shown.from);
  const from = Math.min(Math.max(whole.from, step.at - span * share), whole.to - span);
  return { from, to: from + span };
}

/** A stretch that was drawn over, within `whole`; never too short to be seen. */
export function within(wanted: Stretch, whole: Stretch): Stretch | null {
  const middle = (wanted.from + wanted.to) / 2;
  const span = Math.max(MIN_SPAN_MS, wanted.to - wanted.from);
  return zoomed({ from: middle - span / 2, to: middle + span / 2 }, whole, { factor: 1, at: middle });
}

/** The next moment of the axis in a direction that lies in what is shown; stays where there is none. */
export function stepCursor(
  times: readonly number[],
  { from, to }: Stretch,
  move: { readonly index: number; readonly by: number },
): number {
  const first = times.findIndex((at) => at >= from);
  const last = times.findLastIndex((at) => at <= to);
  return Math.min(last, Math.max(first, move.index + move.by));
}
