import { join } from 'node:path';
import type { GpuIdentity, GpuSample, SystemSample } from '#shared/schemas/performance.ts';
import { openStore } from '../adapters/sqlite/open-store.ts';

/** Samples of a machine with one card, as a collector that ran all the time would have stored them. */
export interface FillSamplesOptions {
  readonly hostId: string;
  readonly from: number;
  readonly to: number;
  readonly everyMs: number;
  /** Nobody looked between these. */
  readonly gap: { readonly from: number; readonly to: number };
  /** Of the card. */
  readonly memUsedMbAt: (at: number) => number;
}

const CARD: GpuIdentity = {
  key: 'GPU-1a2b3c4d-7a51-4d4c-9b0e-3c1d5a7f2e01',
  id: 0,
  name: 'NVIDIA GeForce RTX 3090',
  uuid: 'GPU-1a2b3c4d-7a51-4d4c-9b0e-3c1d5a7f2e01',
};

/** Writes samples into a data folder that no server has open; the next one rolls them up and seals them by itself. */
export function fillSamples(dataDir: string, options: FillSamplesOptions): void {
  const { hostId, from, to, everyMs, gap, memUsedMbAt } = options;
  const store = openStore(join(dataDir, 'drover.db'), { now: to });
  const system: SystemSample[] = [];
  const readings: Omit<GpuSample, 'stale'>[] = [];
  for (let at = from; at < to; at += everyMs) {
    if (at >= gap.from && at < gap.to) continue;
    system.push(systemAt(at));
    readings.push(gpuAt(at, memUsedMbAt(at)));
  }
  const cursor = { newestAt: system.at(-1)?.at ?? from, counters: null };
  const receivedAt = to - 10 * 60_000;
  store.transact(() =>
    store.performance.insert(hostId, { system, gpus: [{ gpu: CARD, readings }], cursor }, receivedAt),
  );
  store.close();
}

function systemAt(at: number): SystemSample {
  return {
    at,
    cpuPct: 7,
    memUsedMb: 9_000,
    memTotalMb: 64_215,
    swapUsedMb: 0,
    swapTotalMb: 8_191,
    loadAvg1: 0.5,
    netInBytesPerSec: 400,
    netOutBytesPerSec: 600,
  };
}

function gpuAt(at: number, memUsedMb: number): Omit<GpuSample, 'stale'> {
  return {
    at,
    utilPct: 40,
    memUsedMb,
    memTotalMb: 24_576,
    tempC: 55,
    memTempC: null,
    fanPct: 40,
    powerW: 180,
  };
}
