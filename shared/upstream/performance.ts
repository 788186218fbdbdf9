import { z } from 'zod';
import { lenient } from './lenient.ts';

const number = lenient(z.number());
const text = lenient(z.string());

/** `GET /api/performance` (v212+); both lists are null while there is nothing, and their rows are read one by one. */
export const performanceReply = z.object({
  /** v229+. */
  enabled: lenient(z.boolean()),
  sys_stats: z.unknown().optional(),
  gpu_stats: z.unknown().optional(),
});

/** A row of `sys_stats`. Windows has 0 for swap and load, macOS no `net_io`. */
export const systemStatsRow = z.object({
  timestamp: z.string(),
  cpu_util_per_core: lenient(z.array(z.number())),
  mem_total_mb: number,
  mem_used_mb: number,
  swap_total_mb: number,
  swap_used_mb: number,
  load_avg_1: number,
  load_avg_5: number,
  load_avg_15: number,
  net_io: z.unknown().optional(),
});
/** See {@link systemStatsRow}. */
export type SystemStatsRow = z.infer<typeof systemStatsRow>;

/** Counters of one interface since it came up. */
export const netIoRow = z.object({ name: z.string(), bytes_recv: z.number(), bytes_sent: z.number() });

/** A row of `gpu_stats`: one of one card. 0 is zero or unknown. */
export const gpuStatsRow = z.object({
  timestamp: z.string(),
  id: number,
  name: text,
  uuid: text,
  temp_c: number,
  vram_temp_c: number,
  gpu_util_pct: number,
  mem_used_mb: number,
  mem_total_mb: number,
  fan_speed_pct: number,
  power_draw_w: number,
});
/** See {@link gpuStatsRow}. */
export type GpuStatsRow = z.infer<typeof gpuStatsRow>;
