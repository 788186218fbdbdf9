import type { GpuSpec } from './performance.ts';

/** A row as it is on the wire. */
export type Wire = Readonly<Record<string, unknown>>;

/** What a machine does at a moment. */
export interface MachineReading {
  /** Percent of each core. */
  readonly cores: readonly number[];
  readonly memUsedMb: number;
  /** Sum of the three load averages' driver: requests at work, roughly. */
  readonly load: number;
  /** Bytes received so far. */
  readonly bytes: number;
}

/** What a card does at a moment. */
export interface CardReading {
  readonly utilPct: number;
  readonly memUsedMb: number;
  readonly tempC: number;
  readonly fanPct: number;
  readonly powerW: number;
}

const MEM_TOTAL_MB = 24_105;

/** A row of `sys_stats`. */
export function systemWire(timestamp: string, reading: MachineReading): Wire {
  const used = Math.min(MEM_TOTAL_MB, reading.memUsedMb);
  return {
    timestamp,
    cpu_util_per_core: reading.cores,
    mem_total_mb: MEM_TOTAL_MB,
    mem_used_mb: used,
    mem_free_mb: MEM_TOTAL_MB - used,
    swap_total_mb: 0,
    swap_used_mb: 0,
    load_avg_1: reading.load / 50,
    load_avg_5: reading.load / 80,
    load_avg_15: reading.load / 100,
    net_io: [{ name: 'eth0', bytes_recv: reading.bytes, bytes_sent: Math.round(reading.bytes / 300) }],
  };
}

/** A row of `gpu_stats`; what the vendor's tool cannot read is 0. */
export function gpuWire(timestamp: string, id: number, gpu: GpuSpec, reading: CardReading): Wire {
  const used = Math.min(gpu.memTotalMb, reading.memUsedMb);
  return {
    timestamp,
    id,
    name: gpu.name,
    uuid: gpu.uuid,
    temp_c: reading.tempC,
    vram_temp_c: 0,
    gpu_util_pct: reading.utilPct,
    mem_util_pct: gpu.known ? (used / gpu.memTotalMb) * 100 : 0,
    mem_used_mb: gpu.known ? used : 0,
    mem_total_mb: gpu.known ? gpu.memTotalMb : 0,
    fan_speed_pct: gpu.known ? reading.fanPct : 0,
    power_draw_w: gpu.known ? reading.powerW : 0,
  };
}
