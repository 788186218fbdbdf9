import { ROLLUP_MS } from '#shared/schemas/performance.ts';
import type { PerformanceRow } from '#shared/schemas/performance.ts';
import { rollUpGpu, rollUpSystem } from './performance-rollup.ts';
import type { StoredPerformance } from './performance-ports.ts';
import { markStale } from './performance-ticks.ts';

/** The five-minute rollups of an hour of a host's samples: the same samples give the same rows. */
export function rollUpChunk(hostId: string, { system, gpus }: StoredPerformance): PerformanceRow[] {
  const systemTimes = system.map(({ at }) => at);
  return [
    ...rollUpSystem(system, ROLLUP_MS).map((sample): PerformanceRow => ({ hostId, gpu: null, sample })),
    ...gpus.flatMap(({ gpu, readings }) =>
      rollUpGpu(markStale(readings, systemTimes), ROLLUP_MS).map((sample): PerformanceRow => ({
        hostId,
        gpu,
        sample,
      })),
    ),
  ];
}
