import type { LiveGpu, LivePerformance, SystemSample } from '#shared/schemas/performance.ts';
import type { GpuReadings } from './performance-readings.ts';
import { markStale } from './performance-ticks.ts';

/** Samples of the machine remembered to see that a card misses them. */
const REMEMBERED = 8;
/** Cards shown of a host, those heard last. */
const MAX_CARDS = 64;

/** What is shown live of a host, and when its machine was last sampled. */
export interface LiveHostPerformance {
  readonly shown: LivePerformance;
  readonly systemTimes: readonly number[];
}

/**
 * The newest sample of the machine and of each card after new ones came: the last ones, whatever their time. A card of
 * which nothing comes any more stays, and goes stale.
 */
export function nextLive(
  before: LiveHostPerformance | null,
  news: {
    readonly hostId: string;
    readonly system: readonly SystemSample[];
    readonly gpus: readonly GpuReadings[];
  },
  observedAt: number,
): LiveHostPerformance {
  const system = news.system.at(-1) ?? before?.shown.system ?? null;
  const systemTimes = sinceSetBack([...(before?.systemTimes ?? []), ...news.system.map(({ at }) => at)]);
  const cards = new Map<string, LiveGpu>(before?.shown.gpus.map((card) => [card.key, card]));
  for (const { gpu, readings } of news.gpus) {
    const newest = readings.at(-1);
    if (newest) cards.set(gpu.key, { ...gpu, sample: { ...newest, stale: false } });
  }
  const gpus = [...cards.values()]
    .sort((a, b) => b.sample.at - a.sample.at)
    .slice(0, MAX_CARDS)
    .map((card) => ({ ...card, sample: markStale([card.sample], systemTimes)[0] ?? card.sample }))
    .sort((a, b) => (a.id ?? 0) - (b.id ?? 0) || (a.key < b.key ? -1 : 1));
  return { shown: { hostId: news.hostId, observedAt, system, gpus }, systemTimes };
}

/** The last times, from where the host's clock was last set back. */
function sinceSetBack(times: readonly number[]): readonly number[] {
  const last = times.slice(-REMEMBERED);
  const begin = last.findLastIndex((at, index) => at < (last[index - 1] ?? at));
  return begin < 0 ? last : last.slice(begin);
}
