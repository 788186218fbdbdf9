import { ROLLUP_MS } from '#shared/schemas/performance.ts';
import type {
  GpuSeries,
  PerformanceAnswer,
  PerformanceRow,
  SystemSample,
} from '#shared/schemas/performance.ts';

/** Which samples are wanted: `from` ≤ `at` < `to`, on the host's clock. */
export interface PerformanceSpan {
  readonly hostId: string;
  readonly from: number;
  readonly to: number;
}

/** What this device holds of them, as the collector would answer it. */
export interface HeldPerformance {
  readonly answer: PerformanceAnswer;
  /** Time of the oldest and newest sample of the host on this device, whatever was wanted; null: it holds none. */
  readonly heldFrom: number | null;
  readonly heldTo: number | null;
}

/** Puts rows of any number of segments together: each moment once, although an hour may also stand in its day's segment. */
export function heldPerformance(rows: Iterable<PerformanceRow>, span: PerformanceSpan): HeldPerformance {
  const system = new Map<number, SystemSample>();
  const cards = new Map<
    string,
    { gpu: Omit<GpuSeries, 'samples'>; samples: Map<number, GpuSeries['samples'][number]> }
  >();
  let heldFrom: number | null = null;
  let heldTo: number | null = null;
  for (const row of rows) {
    if (row.hostId !== span.hostId) continue;
    const { at } = row.sample;
    heldFrom = Math.min(heldFrom ?? at, at);
    heldTo = Math.max(heldTo ?? at, at);
    if (at < span.from || at >= span.to) continue;
    if (row.gpu === null) {
      system.set(at, row.sample);
      continue;
    }
    const card = cards.get(row.gpu.key) ?? { gpu: row.gpu, samples: new Map() };
    card.gpu = row.gpu;
    card.samples.set(at, row.sample);
    cards.set(row.gpu.key, card);
  }
  const gpus = [...cards.values()]
    .map(({ gpu, samples }) => ({ ...gpu, samples: inOrder(samples.values()) }))
    .sort((a, b) => (a.id ?? 0) - (b.id ?? 0) || (a.key < b.key ? -1 : 1));
  return { answer: { stepMs: ROLLUP_MS, system: inOrder(system.values()), gpus }, heldFrom, heldTo };
}

function inOrder<Sample extends { readonly at: number }>(samples: Iterable<Sample>): Sample[] {
  return [...samples].sort((a, b) => a.at - b.at);
}
