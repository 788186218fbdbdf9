import type { GpuIdentity, GpuSample, PerformanceRow, SystemSample } from '#shared/schemas/performance.ts';
import type { StoredPerformance } from '../domain/performance-ports.ts';

/** Rows of one host as the store would give them. */
export function storedOf(rows: readonly PerformanceRow[]): StoredPerformance {
  const system: SystemSample[] = [];
  const gpus = new Map<
    string,
    { readonly gpu: GpuIdentity; readonly readings: Omit<GpuSample, 'stale'>[] }
  >();
  for (const row of rows) {
    if (row.gpu === null) {
      system.push(row.sample);
      continue;
    }
    const card = gpus.get(row.gpu.key) ?? { gpu: row.gpu, readings: [] };
    const { stale: _stale, ...reading } = row.sample;
    card.readings.push(reading);
    gpus.set(row.gpu.key, card);
  }
  return { system, gpus: [...gpus.values()] };
}
