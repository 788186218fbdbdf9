/** A stretch of time without samples. */
export interface ChartGap {
  readonly from: number;
  readonly to: number;
}

/** One time axis for all charts of a host: moments ascending, with one more in each gap at which nothing has a value. */
export interface TimeAxis {
  readonly times: readonly number[];
  readonly gaps: readonly ChartGap[];
  /** Place of a sample's moment on the axis. */
  readonly indexOf: (at: number) => number;
}

/** Machine and cards are read after each other: what lies this close belongs to one tick. */
const TICK_TOLERANCE_MS = 1_500;
/** A host samples at a period of its own, which may change; so many of those around missed are a gap. */
const MISSED = 3.5;
const SHORTEST_GAP_MS = 20_000;
/** Steps looked at on each side to know the period. */
const AROUND = 4;

/** Makes the axis of samples between `from` and `to`; `stepMs` 0: each sample as it was taken. */
export function timeAxis(
  moments: Iterable<number>,
  { from, to, stepMs }: { readonly from: number; readonly to: number; readonly stepMs: number },
): TimeAxis {
  const sorted = [...new Set(moments)].sort((a, b) => a - b);
  const tolerance = stepMs === 0 ? TICK_TOLERANCE_MS : 0;
  const starts: number[] = [];
  for (const at of sorted) {
    const last = starts.at(-1);
    if (last === undefined || at - last > tolerance) starts.push(at);
  }
  const limitAt = (place: number): number =>
    Math.max(SHORTEST_GAP_MS, MISSED * (stepMs > 0 ? stepMs : periodAround(starts, place)));
  const times: number[] = [];
  const gaps: ChartGap[] = [];
  // A rollup stands for the time after it.
  const cover = stepMs;
  let before = from;
  for (const [place, at] of starts.entries()) {
    if (at - before > limitAt(place)) {
      gaps.push({ from: before, to: at });
      if (times.length > 0) times.push((before + at) / 2);
    }
    times.push(at);
    before = at + cover;
  }
  if (to - before > limitAt(starts.length) && starts.length > 0) gaps.push({ from: before, to });
  const places = new Map(times.map((at, index) => [at, index]));
  const indexOf = (at: number): number => places.get(startOf(starts, at)) ?? -1;
  return { times, gaps, indexOf };
}

function startOf(starts: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return starts[low] ?? at;
}

/** What usually lies between two moments near the step that ends at `place`, without that step itself. */
function periodAround(starts: readonly number[], place: number): number {
  const steps: number[] = [];
  for (let end = Math.max(1, place - AROUND); end <= Math.min(starts.length - 1, place + AROUND); end += 1)
    if (end !== place) steps.push((starts[end] ?? 0) - (starts[end - 1] ?? 0));
  return steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
}
