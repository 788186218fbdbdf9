import { withRates } from './net-rates.ts';
import type { ObservedPerformance, PerformanceBatch, PerformanceCursor } from './performance-readings.ts';

/**
 * Asked for once more at each poll: a tool's rows bear the time it was started at and may come after those of the
 * machine, which are later by then.
 */
const OVERLAP_MS = 5_000;
const USUAL_PACE_MS = 5_000;
/** Silence that is not the pace of sampling: so many samples of the machine did not come. */
const SILENT_TICKS = 4;
/** A host that samples no more is asked for all it has ever less often. */
const SELDOM_MS = 600_000;

/** What is held of a host's samples, and since when nothing new came, by our clock. */
export interface PerformanceSync {
  readonly cursor: PerformanceCursor | null;
  /** Rows of the last answer, some of which the next one repeats. */
  readonly seen: ReadonlySet<string>;
  /** Time between two samples of the machine. */
  readonly paceMs: number;
  /** When the silence under way is long enough to doubt the cursor, and what is waited then. */
  readonly doubtAt: number;
  readonly doubtMs: number;
}

/** Begins where the store left off. */
export function openPerformanceSync(cursor: PerformanceCursor | null, now: number): PerformanceSync {
  const doubtMs = SILENT_TICKS * USUAL_PACE_MS;
  return { cursor, seen: new Set(), paceMs: USUAL_PACE_MS, doubtAt: now + doubtMs, doubtMs };
}

/**
 * Samples later than this are asked for; null: all that the host has. After a silence, too: the host's clock may have been
 * set back, so that what it samples is earlier than what is held.
 */
export function askAfter({ cursor, doubtAt }: PerformanceSync, now: number): number | null {
  return cursor === null || now >= doubtAt ? null : cursor.newestAt - OVERLAP_MS;
}

/** Takes what is new of an answer; null when nothing is. What the host sampled last is the newest, whatever its time. */
export function takeSamples(
  sync: PerformanceSync,
  observed: ObservedPerformance,
  now: number,
): { readonly sync: PerformanceSync; readonly batch: PerformanceBatch | null } {
  const { cursor, seen } = sync;
  const system = observed.system.filter(({ at }) => !seen.has(nameOf('', at)));
  const gpus = observed.gpus
    .map(({ gpu, readings }) => ({
      gpu,
      readings: readings.filter(({ at }) => !seen.has(nameOf(gpu.key, at))),
    }))
    .filter(({ readings }) => readings.length > 0);
  const last = system.at(-1);
  const isNews = last !== undefined && last.at !== cursor?.newestAt;
  const next = isNews ? heard(sync, observed, now) : doubted(sync, now);
  if (system.length === 0 && gpus.length === 0) return { sync: next, batch: null };

  const { samples, counters } = withRates(system, cursor?.counters ?? null);
  // The machine is the clock: rows of a card whose tool died may lie ahead of a clock that was set back.
  const ofCards = gpus.flatMap(({ readings }) => readings.map(({ at }) => at));
  const newestAt = last?.at ?? cursor?.newestAt ?? Math.max(...ofCards);
  const held: PerformanceCursor = { newestAt, counters };
  return {
    sync: { ...next, cursor: held, seen: namesOf(observed) },
    batch: { system: samples, gpus, cursor: held },
  };
}

function heard(sync: PerformanceSync, { system }: ObservedPerformance, now: number): PerformanceSync {
  const [before, last] = system.slice(-2);
  const stepMs = before && last ? last.at - before.at : 0;
  const paceMs = stepMs > 0 ? Math.min(stepMs, SELDOM_MS / SILENT_TICKS) : sync.paceMs;
  const doubtMs = SILENT_TICKS * Math.max(paceMs, USUAL_PACE_MS);
  return { ...sync, paceMs, doubtMs, doubtAt: now + doubtMs };
}

function doubted(sync: PerformanceSync, now: number): PerformanceSync {
  if (now < sync.doubtAt) return sync;
  const doubtMs = Math.min(SELDOM_MS, 2 * sync.doubtMs);
  return { ...sync, doubtMs, doubtAt: now + doubtMs };
}

function namesOf({ system, gpus }: ObservedPerformance): ReadonlySet<string> {
  const ofCards = gpus.flatMap(({ gpu, readings }) => readings.map(({ at }) => nameOf(gpu.key, at)));
  return new Set([...system.map(({ at }) => nameOf('', at)), ...ofCards]);
}

function nameOf(key: string, at: number): string {
  return `${at} ${key}`;
}
