import type { GpuIdentity, GpuSample, PerformanceRow, SystemSample } from '#shared/schemas/performance.ts';
import { seededRandom } from './realistic-rows.ts';

const TICK_MS = 5_000;

/** A machine that is busy now and then: how many cards, how many ticks of 5 s. */
export interface RealisticSamplesOptions {
  readonly gpus: number;
  readonly ticks: number;
  readonly hostId?: string;
  readonly seed?: number;
  readonly startAt?: number;
}

/**
 * Samples as a host takes them: use, power and temperature that follow its requests, memory that steps when a model is
 * swapped, and the jitter of sensors; series by series, the machine first.
 */
export function realisticSamples(options: RealisticSamplesOptions): PerformanceRow[] {
  const { gpus, ticks, hostId = 'box', seed = 1, startAt = Date.UTC(2026, 10, 30) } = options;
  const random = seededRandom(seed);
  const noise = (range: number): number => (random() + random() + random() - 1.5) * range;
  const system: SystemSample[] = [];
  const cards = Array.from({ length: gpus }, () => ({
    tempC: 38,
    usedMb: 450,
    samples: new Array<GpuSample>(),
  }));
  let busy = 0;
  let memUsedMb = 9_000;
  for (let tick = 0; tick < ticks; tick += 1) {
    const at = startAt + tick * TICK_MS;
    if (busy <= 0 && random() < 0.02) busy = 2 + Math.floor(random() * 40);
    else busy -= 1;
    const isBusy = busy > 0;
    memUsedMb = Math.round(memUsedMb + noise(8) + (9_000 - memUsedMb) * 0.01);
    system.push({
      at: at + Math.round(noise(2)),
      cpuPct: tenths(Math.max(0, (isBusy ? 22 : 3) + noise(isBusy ? 8 : 1.5))),
      memUsedMb,
      memTotalMb: 64_215,
      swapUsedMb: 0,
      swapTotalMb: 8_191,
      loadAvg1: Math.round(Math.max(0, (isBusy ? 4 : 0.4) + noise(0.3)) * 100) / 100,
      netInBytesPerSec: Math.round(Math.max(0, (isBusy ? 9_000 : 400) + noise(300))),
      netOutBytesPerSec: Math.round(Math.max(0, (isBusy ? 24_000 : 600) + noise(500))),
    });
    for (const card of cards) {
      if (random() < 0.001) card.usedMb = 450 + Math.floor(random() * 23_000);
      card.tempC += ((isBusy ? 67 : 39) - card.tempC) * 0.06 + noise(0.4);
      card.samples.push({
        at: at + 110 + Math.round(noise(2)),
        utilPct: isBusy ? Math.round(Math.min(100, 88 + noise(14))) : 0,
        memUsedMb: card.usedMb + (isBusy ? 180 : 0),
        memTotalMb: 24_576,
        tempC: Math.round(card.tempC),
        memTempC: null,
        fanPct: Math.round(Math.max(30, card.tempC)),
        powerW: tenths((isBusy ? 290 : 21) + noise(isBusy ? 25 : 0.8)),
        stale: false,
      });
    }
  }
  return [
    ...system.map((sample): PerformanceRow => ({ hostId, gpu: null, sample })),
    ...cards.flatMap(({ samples }, id) =>
      samples.map((sample): PerformanceRow => ({ hostId, gpu: identity(id), sample })),
    ),
  ];
}

function identity(id: number): GpuIdentity {
  const uuid = `GPU-${String(id).repeat(8)}-7a51-4d4c-9b0e-3c1d5a7f2e01`;
  return { key: uuid, id, name: 'NVIDIA GeForce RTX 3090', uuid };
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
