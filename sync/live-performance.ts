import type { GpuSample, LiveGpu, LivePerformance, SystemSample } from '#shared/schemas/performance.ts';
import { CorruptBytesError } from './bytes.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';

/** A host's newest samples, whole; null when there are none. */
export interface PerformancePatch {
  readonly index: number;
  readonly value: Omit<LivePerformance, 'hostId'> | null;
}

const MAX_TIME = 8.64e15;
/** A card takes at least its four texts and numbers, and eight measurements. */
const MIN_GPU_BYTES = 12;

/** Each host's samples whole, as averages of nothing: a live sample is one. */
export function writePerformances(out: ByteWriter, at: number, patches: readonly PerformancePatch[]): void {
  for (const { index, value } of patches) {
    out.uint(index * 2 + (value === null ? 0 : 1));
    if (value === null) continue;
    out.int(at - value.observedAt);
    out.uint(value.system === null ? 0 : 1);
    if (value.system) writeSystem(out, at, value.system);
    out.uint(value.gpus.length);
    for (const gpu of value.gpus) writeGpu(out, at, gpu);
  }
}

/** Reads to the end what {@link writePerformances} wrote. */
export function readPerformances(input: ByteReader, at: number): PerformancePatch[] {
  const patches: PerformancePatch[] = [];
  while (input.remaining > 0) {
    const head = input.uint();
    const index = Math.floor(head / 2);
    if (head % 2 === 0) {
      patches.push({ index, value: null });
      continue;
    }
    const observedAt = time(at - input.int());
    const system = input.uint() === 0 ? null : readSystem(input, at);
    const count = input.uint();
    if (count * MIN_GPU_BYTES > input.remaining) throw new CorruptBytesError('more cards than bytes');
    const gpus = Array.from({ length: count }, () => readGpu(input, at));
    patches.push({ index, value: { observedAt, system, gpus } });
  }
  return patches;
}

function writeSystem(out: ByteWriter, at: number, sample: SystemSample): void {
  out.int(at - sample.at);
  measure(out, sample.cpuPct, 10);
  measure(out, sample.memUsedMb);
  measure(out, sample.memTotalMb);
  measure(out, sample.swapUsedMb);
  measure(out, sample.swapTotalMb);
  measure(out, sample.loadAvg1, 100);
  measure(out, sample.netInBytesPerSec);
  measure(out, sample.netOutBytesPerSec);
}

function readSystem(input: ByteReader, at: number): SystemSample {
  return {
    at: time(at - input.int()),
    cpuPct: measured(input, 10),
    memUsedMb: measured(input),
    memTotalMb: measured(input),
    swapUsedMb: measured(input),
    swapTotalMb: measured(input),
    loadAvg1: measured(input, 100),
    netInBytesPerSec: measured(input),
    netOutBytesPerSec: measured(input),
  };
}

function writeGpu(out: ByteWriter, at: number, { key, id, name, uuid, sample }: LiveGpu): void {
  out.string(key);
  out.string(name);
  // Nearly every card is keyed by its uuid.
  out.uint(uuid === null ? 0 : uuid === key ? 1 : 2);
  if (uuid !== null && uuid !== key) out.string(uuid);
  measure(out, id);
  writeSample(out, at, sample);
}

function readGpu(input: ByteReader, at: number): LiveGpu {
  const key = input.string();
  const name = input.string();
  const form = input.uint();
  const uuid = form === 0 ? null : form === 1 ? key : input.string();
  return { key, name, uuid, id: measured(input), sample: readSample(input, at) };
}

function writeSample(out: ByteWriter, at: number, sample: GpuSample): void {
  out.int(at - sample.at);
  measure(out, sample.utilPct, 10);
  measure(out, sample.memUsedMb);
  measure(out, sample.memTotalMb);
  measure(out, sample.tempC);
  measure(out, sample.memTempC);
  measure(out, sample.fanPct, 10);
  measure(out, sample.powerW, 10);
  out.uint(sample.stale ? 1 : 0);
}

function readSample(input: ByteReader, at: number): GpuSample {
  return {
    at: time(at - input.int()),
    utilPct: measured(input, 10),
    memUsedMb: measured(input),
    memTotalMb: measured(input),
    tempC: measured(input),
    memTempC: measured(input),
    fanPct: measured(input, 10),
    powerW: measured(input, 10),
    stale: input.uint() === 1,
  };
}

/** 0 is unknown, n is n − 1 steps; nothing that is measured is negative. */
function measure(out: ByteWriter, value: number | null, perUnit = 1): void {
  const steps = value === null ? null : Math.round(value * perUnit);
  out.uint(steps === null || steps < 0 || !Number.isSafeInteger(steps + 1) ? 0 : steps + 1);
}

function measured(input: ByteReader, perUnit = 1): number | null {
  const value = input.uint();
  return value === 0 ? null : (value - 1) / perUnit;
}

function time(value: number): number {
  if (Math.abs(value) <= MAX_TIME) return value;
  throw new CorruptBytesError('a time is out of range');
}
