import type { LiveGpu, LivePerformance, SystemSample } from '#shared/schemas/performance.ts';
import type { GpuReadings } from './performance-readings.ts';
import { markStale } from './performance-ticks.ts';

/** Samples of the machine remembered to see that a card misses them. */
const REMEMBERED = 8;

/** What is shown live of a host, and when its machine was last sampled. */
export interface LiveHostPerformance {
  readonly shown: LivePerformance;
  readonly systemTimes: readonly number[];
}

/**
 * The newest sample of the machine and of each card after new ones came. A card of which nothing comes any more stays,
 * and goes stale. `hostNow` leaves out what was sampled before the host's clock was set back.
 */
export function nextLive(
  before: LiveHostPerformance | null,
  news: {
    readonly hostId: string;
    readonly system: readonly SystemSample[];
    readonly gpus: readonly GpuReadings[];
    readonly newestAt: number;
  },
  observedAt: number,
): LiveHostPerformance {
  const isCurrent = ({ at }: { readonly at: number }): boolean => at <= news.newestAt;
  const system = news.system.findLast(isCurrent) ?? before?.shown.system ?? null;
  const known = (before?.systemTimes ?? []).filter((at) => at <= news.newestAt);
  const systemTimes = [...known, ...news.system.filter(isCurrent).map(({ at }) => at)]
    .sort((a, b) => a - b)
    .slice(-REMEMBERED);
  const cards = new Map<string, LiveGpu>(before?.shown.gpus.map((card) => [card.key, card]));
  for (const { gpu, readings } of news.gpus) {
    const newest = readings.findLast(isCurrent);
    if (newest) cards.set(gpu.key, { ...gpu, sample: { ...newest, stale: false } });
  }
  const gpus = [...cards.values()]
    .map((card) => ({ ...card, sample: markStale([card.sample], systemTimes)[0] ?? card.sample }))
    .sort((a, b) => (a.id ?? 0) - (b.id ?? 0) || (a.key < b.key ? -1 : 1));
  return { shown: { hostId: news.hostId, observedAt, system, gpus }, systemTimes };
}
