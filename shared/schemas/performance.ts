import * as z from 'zod/mini';
import { epochMs, hostId } from './ids.ts';
import { wholeNumber } from './query.ts';

const number = z.nullable(z.number());
/** Only in samples that stand for many: left out of raw ones. */
const ofMany = z.optional(number);

/** Length of the rollups that are kept for months and sealed for devices. */
export const ROLLUP_MS = 300_000;

/**
 * How a machine was doing at a moment of its own clock. Unknown is null: llama-swap reports 0 for what it cannot read.
 * Network rates are since the sample before it. A sample that stands for `samples` of them has their averages, and the
 * extremes beside them.
 */
export const systemSample = z.object({
  at: epochMs,
  cpuPct: number,
  memUsedMb: number,
  memTotalMb: number,
  swapUsedMb: number,
  swapTotalMb: number,
  loadAvg1: number,
  netInBytesPerSec: number,
  netOutBytesPerSec: number,
  samples: z.optional(z.int()),
  cpuPctMax: ofMany,
  cpuPctP95: ofMany,
  memUsedMbMax: ofMany,
  netInBytesPerSecMax: ofMany,
  netOutBytesPerSecMax: ofMany,
});
/** See {@link systemSample}. */
export type SystemSample = z.infer<typeof systemSample>;

/**
 * A GPU at a moment. `stale`: nothing came of it any more although the machine went on being sampled, so the vendor's
 * tool died or the card is gone; the value must not be drawn on past this moment. Else as {@link systemSample}.
 */
export const gpuSample = z.object({
  at: epochMs,
  utilPct: number,
  memUsedMb: number,
  memTotalMb: number,
  tempC: number,
  memTempC: number,
  fanPct: number,
  powerW: number,
  stale: z.boolean(),
  samples: z.optional(z.int()),
  utilPctMax: ofMany,
  utilPctP95: ofMany,
  memUsedMbMax: ofMany,
  memUsedMbMin: ofMany,
  tempCMax: ofMany,
  powerWMax: ofMany,
});
/** See {@link gpuSample}. */
export type GpuSample = z.infer<typeof gpuSample>;

/** A card: `key` is its uuid, or `id:N` where it has none; `id` is llama-swap's number, which may change. */
export const gpuIdentity = z.object({
  key: z.string(),
  id: z.nullable(z.int()),
  name: z.string(),
  uuid: z.nullable(z.string()),
});
/** See {@link gpuIdentity}. */
export type GpuIdentity = z.infer<typeof gpuIdentity>;

/** A sample of a host's machine (`gpu` null) or of one of its cards, as segments hold them. */
export type PerformanceRow =
  | { readonly hostId: string; readonly gpu: null; readonly sample: SystemSample }
  | { readonly hostId: string; readonly gpu: GpuIdentity; readonly sample: GpuSample };

/** The largest step there is. */
const MAX_STEP_MS = 31 * 86_400_000;

/**
 * Query of `GET /api/performance`: `from` ≤ `at` < `to`, the last hour when left out. `step` in ms: 0 is every sample, left
 * out a step is chosen by the length of time.
 */
export const performanceQuery = z.strictObject({
  hostId,
  from: z.optional(wholeNumber),
  to: z.optional(wholeNumber),
  step: z.optional(z.pipe(wholeNumber, z.number().check(z.minimum(0), z.maximum(MAX_STEP_MS)))),
});
/** See {@link performanceQuery}. */
export type PerformanceQuery = z.infer<typeof performanceQuery>;

const day = z.string().check(
  z.regex(/^\d{4}-\d{2}-\d{2}$/, 'a day looks like 2026-11-30'),
  z.refine((text) => !Number.isNaN(Date.parse(text)), { error: 'there is no such day' }),
);

/** Query of `GET /api/performance/day`: a day in UTC, by the host's clock. */
export const performanceDayQuery = z.strictObject({ hostId, day });

/** A card with its samples, oldest first. */
export const gpuSeries = z.extend(gpuIdentity, { samples: z.array(gpuSample) });
/** See {@link gpuSeries}. */
export type GpuSeries = z.infer<typeof gpuSeries>;

/** Answer of `GET /api/performance`: `stepMs` is what the samples stand for, 0 for each as the host took it. */
export const performanceAnswer = z.object({
  stepMs: z.int(),
  system: z.array(systemSample),
  gpus: z.array(gpuSeries),
});
/** See {@link performanceAnswer}. */
export type PerformanceAnswer = z.infer<typeof performanceAnswer>;

/** A card as last seen, with the one sample. */
export const liveGpu = z.extend(gpuIdentity, { sample: gpuSample });
/** See {@link liveGpu}. */
export type LiveGpu = z.infer<typeof liveGpu>;

/** Value of the live topic `performance` for a host: its newest samples, and when the collector got them. */
export const livePerformance = z.object({
  hostId,
  observedAt: epochMs,
  system: z.nullable(systemSample),
  gpus: z.array(liveGpu),
});
/** See {@link livePerformance}. */
export type LivePerformance = z.infer<typeof livePerformance>;
