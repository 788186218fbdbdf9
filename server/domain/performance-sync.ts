import { withRates } from './net-rates.ts';
import type { ObservedPerformance, PerformanceBatch, PerformanceCursor } from './performance-readings.ts';

/**
 * Asked for once more at each poll: a tool's rows bear the time it was started at and may come after those of the
 * machine, which are later by then.
 */
const OVERLAP_MS = 5_000;
/** Rows further ahead of the host's own clock than this were taken before that clock was set back. */
const AHEAD_MS = 3_000;

/** What is held of a host's samples; `seen` are those of the last answer, some of which the next one repeats. */
export interface PerformanceSync {
  readonly cursor: PerformanceCursor | null;
  readonly seen: ReadonlySet<string>;
}

/** What came of an answer: rows to keep, or a clock that was set back, after which it has to be asked again. */
export interface PerformanceStep {
  readonly sync: PerformanceSync;
  readonly batch: PerformanceBatch | null;
  readonly askAgain: boolean;
}

/** Begins where the store left off. */
export function openPerformanceSync(cursor: PerformanceCursor | null): PerformanceSync {
  return { cursor, seen: new Set() };
}

/** Samples later than this are asked for; null: all that the host has. */
export function askAfter({ cursor }: PerformanceSync): number | null {
  return cursor === null ? null : cursor.newestAt - OVERLAP_MS;
}

/**
 * Takes what is new of an answer. `hostNow` is the host's clock at that answer, where it says, and `unseenMs` the time
 * since the last one: what was sampled meanwhile is not to be missed when the clock was set back.
 */
export function takeSamples(
  sync: PerformanceSync,
  observed: ObservedPerformance,
  moment: { readonly hostNow: number | null; readonly unseenMs: number },
): PerformanceStep {
  const { cursor, seen } = sync;
  const limit = moment.hostNow === null ? Number.POSITIVE_INFINITY : moment.hostNow + AHEAD_MS;
  if (cursor !== null && moment.hostNow !== null && cursor.newestAt > limit) {
    const begin = { newestAt: moment.hostNow - moment.unseenMs, counters: cursor.counters };
    return { sync: { cursor: begin, seen }, batch: null, askAgain: true };
  }
  const system = observed.system.filter(({ at }) => !seen.has(nameOf('', at)));
  const gpus = observed.gpus
    .map(({ gpu, readings }) => ({
      gpu,
      readings: readings.filter(({ at }) => !seen.has(nameOf(gpu.key, at))),
    }))
    .filter(({ readings }) => readings.length > 0);
  if (system.length === 0 && gpus.length === 0) return { sync, batch: null, askAgain: false };

  const { samples, counters } = withRates(system, cursor?.counters ?? null);
  const times = [...system, ...gpus.flatMap(({ readings }) => readings)].map(({ at }) => at);
  const next: PerformanceCursor = {
    newestAt: times.reduce(
      (newest, at) => (at <= limit && at > newest ? at : newest),
      cursor?.newestAt ?? Math.min(limit, ...times),
    ),
    counters,
  };
  const batch = { system: samples, gpus, cursor: next };
  return { sync: { cursor: next, seen: namesOf(observed) }, batch, askAgain: false };
}

function namesOf({ system, gpus }: ObservedPerformance): ReadonlySet<string> {
  const ofCards = gpus.flatMap(({ gpu, readings }) => readings.map(({ at }) => nameOf(gpu.key, at)));
  return new Set([...system.map(({ at }) => nameOf('', at)), ...ofCards]);
}

function nameOf(key: string, at: number): string {
  return `${at} ${key}`;
}
