import { boundedText } from '#shared/lib/bounded-text.ts';
import type { GpuIdentity, GpuSample } from '#shared/schemas/performance.ts';
import { readRows } from '#shared/upstream/lenient.ts';
import {
  gpuStatsRow,
  netIoRow,
  performanceReply,
  systemStatsRow,
  type GpuStatsRow,
  type SystemStatsRow,
} from '#shared/upstream/performance.ts';
import { parseRfc3339 } from '#shared/upstream/rfc3339.ts';
import type { NetCounter, ObservedPerformance, SystemReading } from './performance-readings.ts';
import { TICK_TOLERANCE_MS } from './performance-ticks.ts';

const MAX_TEXT = 200;
/** More cards than any machine has: a host that reports new ones at every tick must not fill the store. */
const MAX_GPUS = 64;
const MAX_INTERFACES = 64;
const MAX_MB = 1e9;

/**
 * Reads an answer of `/api/performance`; null when it is none. Rows stay in the order the
 * host took them, also where its clock was set back; those without a readable time are counted and left out.
 */
export function mapPerformance(json: unknown): ObservedPerformance | null {
  const reply = performanceReply.safeParse(json);
  if (!reply.success) return null;
  const system = readRows(systemStatsRow, reply.data.sys_stats);
  const gpus = readRows(gpuStatsRow, reply.data.gpu_stats);
  if (!system || !gpus) return null;
  const readings = system.rows.flatMap((row) => systemReading(row) ?? []);
  const cards = gpuReadings(gpus.rows);
  const kept = readings.length + cards.reduce((sum, card) => sum + card.readings.length, 0);
  return {
    enabled: reply.data.enabled !== false,
    system: readings,
    gpus: cards,
    unreadable: system.unreadable + gpus.unreadable + system.rows.length + gpus.rows.length - kept,
  };
}

function systemReading(row: SystemStatsRow): SystemReading | null {
  const at = parseRfc3339(row.timestamp);
  if (at === null) return null;
  const cores = row.cpu_util_per_core ?? [];
  const memTotalMb = megabytes(row.mem_total_mb) || null;
  const swapTotalMb = megabytes(row.swap_total_mb) || null;
  // Windows has no load average and no swap: all of it is 0.
  const hasLoad = Boolean(row.load_avg_1 || row.load_avg_5 || row.load_avg_15);
  return {
    at,
    cpuPct: cores.length === 0 ? null : percent(cores.reduce((sum, core) => sum + core, 0) / cores.length),
    memUsedMb: memTotalMb === null ? null : megabytes(row.mem_used_mb),
    memTotalMb,
    swapUsedMb: swapTotalMb === null ? null : megabytes(row.swap_used_mb),
    swapTotalMb,
    loadAvg1: hasLoad ? rounded(row.load_avg_1, 100, 100_000) : null,
    net: netCounters(row.net_io),
  };
}

function netCounters(value: unknown): NetCounter[] {
  return (readRows(netIoRow, value)?.rows ?? []).slice(0, MAX_INTERFACES).map((row) => ({
    name: boundedText(row.name, MAX_TEXT),
    received: row.bytes_recv,
    sent: row.bytes_sent,
  }));
}

function gpuReadings(rows: readonly GpuStatsRow[]): ObservedPerformance['gpus'] {
  const shared = sharedUuids(rows);
  const cards = new Map<string, { gpu: GpuIdentity; readings: Map<number, Omit<GpuSample, 'stale'>> }>();
  for (const row of rows) {
    const reading = gpuReading(row);
    const gpu = identityOf(row, shared);
    const card = cards.get(gpu.key) ?? { gpu, readings: new Map() };
    if (reading === null || (card.readings.size === 0 && cards.size >= MAX_GPUS)) continue;
    // The newest row names the card.
    cards.set(gpu.key, { gpu, readings: card.readings.set(reading.at, reading) });
  }
  return [...cards.values()].map(({ gpu, readings }) => ({ gpu, readings: [...readings.values()] }));
}

function gpuReading(row: GpuStatsRow): Omit<GpuSample, 'stale'> | null {
  const at = parseRfc3339(row.timestamp);
  if (at === null) return null;
  // A vendor's tool that cannot read a column leaves 0 there; only use of a card is plausibly 0.
  const memTotalMb = megabytes(row.mem_total_mb) || null;
  const tempC = rounded(row.temp_c, 1, 500) || null;
  const powerW = rounded(row.power_draw_w, 10, 100_000) || null;
  const utilPct = percent(row.gpu_util_pct);
  const isBlank = utilPct === 0 && memTotalMb === null && tempC === null && powerW === null;
  return {
    at,
    utilPct: isBlank ? null : utilPct,
    memUsedMb: memTotalMb === null ? null : megabytes(row.mem_used_mb),
    memTotalMb,
    tempC,
    memTempC: rounded(row.vram_temp_c, 1, 500) || null,
    fanPct: rounded(row.fan_speed_pct, 10, 1000) || null,
    powerW,
  };
}

/** Cards are told apart by uuid; where two at once bear the same one, by uuid and number; without one, by number. */
function identityOf(row: GpuStatsRow, shared: ReadonlySet<string>): GpuIdentity {
  const id = Number.isSafeInteger(row.id) ? (row.id ?? null) : null;
  const uuid = row.uuid ? boundedText(row.uuid, MAX_TEXT) : null;
  const name = boundedText(row.name || 'GPU', MAX_TEXT);
  const key = uuid === null ? `id:${id ?? name}` : shared.has(uuid) ? `${uuid}#${id ?? name}` : uuid;
  return { key, id, name, uuid };
}

/** Uuids that two cards bear at once; one card whose number changes bears it at different times. */
function sharedUuids(rows: readonly GpuStatsRow[]): ReadonlySet<string> {
  const shared = new Set<string>();
  const last = new Map<string, { readonly id: number | null | undefined; readonly at: number }>();
  for (const { uuid, id, timestamp } of rows) {
    if (!uuid) continue;
    const at = parseRfc3339(timestamp) ?? 0;
    const before = last.get(uuid);
    if (before && before.id !== id && Math.abs(at - before.at) <= TICK_TOLERANCE_MS)
      shared.add(boundedText(uuid, MAX_TEXT));
    last.set(uuid, { id, at });
  }
  return shared;
}

function percent(value: number | null | undefined): number | null {
  // A tool's rounding may go a little past the end of the scale.
  const share = rounded(value, 10, 101);
  return share === null ? null : Math.min(100, share);
}

function megabytes(value: number | null | undefined): number | null {
  return rounded(value, 1, MAX_MB);
}

/** A number from 0 to `max` in steps of 1 / `perUnit`; anything else is unknown. */
function rounded(value: number | null | undefined, perUnit: number, max: number): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0 || value > max) return null;
  return Math.round(value * perUnit) / perUnit;
}
