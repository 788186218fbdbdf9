import type { GpuSample } from '#shared/schemas/performance.ts';

/** A card that missed so many samples of the machine in a row is stale: a busy reader may miss one or two. */
export const STALE_AFTER_TICKS = 3;
/** Rows of one tick are taken one after the other; ticks are 5 s apart at least. */
export const TICK_TOLERANCE_MS = 2000;

/** What was taken at one moment: times differ by a little from row to row. */
export interface Tick<System, Gpu> {
  readonly at: number;
  readonly system: System | null;
  readonly gpus: ReadonlyMap<string, Gpu>;
}

/** Groups rows of machine and cards, each ascending by time, into ticks: rows at most 2 s apart, one of each at most. */
export function groupTicks<System extends { readonly at: number }, Gpu extends { readonly at: number }>(
  system: readonly System[],
  gpus: readonly { readonly key: string; readonly samples: readonly Gpu[] }[],
): readonly Tick<System, Gpu>[] {
  type Row = { readonly at: number; put(tick: MutableTick<System, Gpu>): boolean };
  const rows: Row[] = [
    ...system.map((sample) => ({
      at: sample.at,
      put: (tick: MutableTick<System, Gpu>) => tick.system === null && ((tick.system = sample), true),
    })),
    ...gpus.flatMap(({ key, samples }) =>
      samples.map((sample) => ({
        at: sample.at,
        put: (tick: MutableTick<System, Gpu>) => !tick.gpus.has(key) && (tick.gpus.set(key, sample), true),
      })),
    ),
  ].sort((a, b) => a.at - b.at);
  const ticks: MutableTick<System, Gpu>[] = [];
  for (const row of rows) {
    const tick = ticks.at(-1);
    if (tick && row.at - tick.at <= TICK_TOLERANCE_MS && row.put(tick)) continue;
    const next: MutableTick<System, Gpu> = { at: row.at, system: null, gpus: new Map() };
    row.put(next);
    ticks.push(next);
  }
  return ticks;
}

interface MutableTick<System, Gpu> {
  readonly at: number;
  system: System | null;
  readonly gpus: Map<string, Gpu>;
}

/**
 * Marks samples after which nothing came of a card although the machine was sampled on; both ascending by time. It is
 * counted in samples, not in seconds: hosts sample at a pace of their own.
 */
export function markStale(
  samples: readonly Omit<GpuSample, 'stale'>[],
  systemTimes: readonly number[],
): readonly GpuSample[] {
  let next = 0;
  return samples.map((sample, index) => {
    const until = samples[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    while ((systemTimes[next] ?? Number.POSITIVE_INFINITY) <= sample.at) next += 1;
    // What comes with the next row of the card is of its tick, not of a missed one.
    const end = until - TICK_TOLERANCE_MS;
    let missed = 0;
    while ((systemTimes[next + missed] ?? Number.POSITIVE_INFINITY) < end && missed < STALE_AFTER_TICKS + 1)
      missed += 1;
    // The machine's own row of this tick may come after the card's.
    if ((systemTimes[next] ?? Number.POSITIVE_INFINITY) - sample.at <= TICK_TOLERANCE_MS) missed -= 1;
    return { ...sample, stale: missed >= STALE_AFTER_TICKS };
  });
}
