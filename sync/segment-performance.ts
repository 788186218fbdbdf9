import type { GpuIdentity, GpuSample, PerformanceRow, SystemSample } from '#shared/schemas/performance.ts';
import { ROLLUP_MS } from '#shared/schemas/performance.ts';
import { CorruptBytesError } from './bytes.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { readMeasures, writeMeasures } from './segment-measures.ts';
import type { Measure, Measures } from './segment-measures.ts';
import { columnsReader, columnsWriter, numberAt, requireTexts, textAt } from './segment-column.ts';

/** Kinds of segments that hold samples: of five minutes each, or every one of a host-day. */
export type PerformanceKind = 'perf-5m' | 'perf-raw';

/** Layout of the samples, raised when it changes; the segment's own version stays. */
const LAYOUT = 1;

const SYSTEM: readonly Measure<SystemSample>[] = [
  ['cpuPct', 10],
  ['memUsedMb', 1],
  ['memTotalMb', 1],
  ['swapUsedMb', 1],
  ['swapTotalMb', 1],
  ['loadAvg1', 100],
  ['netInBytesPerSec', 1],
  ['netOutBytesPerSec', 1],
];
const SYSTEM_OF_MANY: readonly Measure<SystemSample>[] = [
  ['samples', 1],
  ['cpuPctMax', 10],
  ['cpuPctP95', 10],
  ['memUsedMbMax', 1],
  ['netInBytesPerSecMax', 1],
  ['netOutBytesPerSecMax', 1],
];
const GPU: readonly Measure<GpuSample>[] = [
  ['utilPct', 10],
  ['memUsedMb', 1],
  ['memTotalMb', 1],
  ['tempC', 1],
  ['memTempC', 1],
  ['fanPct', 10],
  ['powerW', 10],
  ['stale', 1],
];
const GPU_OF_MANY: readonly Measure<GpuSample>[] = [
  ['samples', 1],
  ['utilPctMax', 10],
  ['utilPctP95', 10],
  ['memUsedMbMax', 1],
  ['memUsedMbMin', 1],
  ['tempCMax', 1],
  ['powerWMax', 10],
];

/** One machine's or card's samples in a decoded segment: rows `from` to `to` (exclusive) of its columns. */
export interface PerformanceSeries {
  readonly hostId: string;
  /** Null: the machine itself. */
  readonly gpu: GpuIdentity | null;
  readonly from: number;
  readonly to: number;
}

/** A decoded segment of samples: series in the order they were sealed, machines and cards in columns of their own. */
export interface PerformanceColumns {
  readonly kind: PerformanceKind;
  readonly rowCount: number;
  readonly series: readonly PerformanceSeries[];
  readonly system: Measures<SystemSample>;
  readonly gpus: Measures<GpuSample>;
  row(index: number): PerformanceRow;
}

/** Writes samples in their order; rows of one machine or card that follow each other make a series. */
export function writePerformance(
  out: ByteWriter,
  kind: PerformanceKind,
  rows: readonly PerformanceRow[],
): void {
  const unitMs = unitOf(kind);
  if (rows.some(({ sample }) => sample.at % unitMs !== 0))
    throw new RangeError(`samples of ${kind} begin at multiples of ${unitMs} ms`);
  out.uint(LAYOUT);
  const series = seriesOf(rows);
  out.uint(series.length);
  const heads = columnsWriter(out, series);
  heads.deltas(({ samples }) => samples.length);
  heads.texts(({ hostId }) => hostId);
  heads.texts(({ gpu }) => gpu?.key ?? null);
  heads.texts(({ gpu }) => gpu?.name ?? null);
  heads.texts(({ gpu }) => gpu?.uuid ?? null);
  heads.ints(({ gpu }) => gpu?.id ?? null);
  const system = series.flatMap((one) => (one.gpu === null ? [one.samples] : []));
  const gpus = series.flatMap((one) => (one.gpu === null ? [] : [one.samples]));
  writeMeasures(out, system, {
    unitMs,
    measures: kind === 'perf-5m' ? [...SYSTEM, ...SYSTEM_OF_MANY] : SYSTEM,
  });
  writeMeasures(out, gpus, { unitMs, measures: kind === 'perf-5m' ? [...GPU, ...GPU_OF_MANY] : GPU });
}

/** Reads what {@link writePerformance} wrote, every count checked against the bytes behind it. */
export function readPerformance(
  input: ByteReader,
  kind: PerformanceKind,
  rowCount: number,
): PerformanceColumns {
  if (input.uint() !== LAYOUT) throw new CorruptBytesError('samples of a layout that is not known');
  const count = input.uint();
  if (count > rowCount) throw new CorruptBytesError('more series than samples');
  const heads = columnsReader(input, count);
  const lengths = heads.requiredInts();
  const host = heads.texts();
  const key = heads.texts();
  const name = heads.texts();
  const uuid = heads.texts();
  const id = heads.ints();
  requireTexts(host);
  const ends = { system: 0, gpus: 0 };
  const series = [...lengths].map((length, index): PerformanceSeries => {
    if (length < 1) throw new CorruptBytesError('a series without samples');
    const gpuKey = textAt(key, index);
    const section = gpuKey === null ? 'system' : 'gpus';
    const from = ends[section];
    ends[section] += length;
    const gpu =
      gpuKey === null
        ? null
        : {
            key: gpuKey,
            id: numberAt(id, index),
            name: textAt(name, index) ?? '',
            uuid: textAt(uuid, index),
          };
    return { hostId: textAt(host, index) ?? '', gpu, from, to: ends[section] };
  });
  if (ends.system + ends.gpus !== rowCount) throw new CorruptBytesError('a sample of no series');
  const unitMs = unitOf(kind);
  const isOfMany = kind === 'perf-5m';
  const starts = (ofGpus: boolean) =>
    new Set(series.filter(({ gpu }) => (gpu !== null) === ofGpus).map(({ from }) => from));
  const system = readMeasures(input, ends.system, {
    unitMs,
    measures: isOfMany ? [...SYSTEM, ...SYSTEM_OF_MANY] : SYSTEM,
    starts: starts(false),
  });
  const gpus = readMeasures(input, ends.gpus, {
    unitMs,
    measures: isOfMany ? [...GPU, ...GPU_OF_MANY] : GPU,
    starts: starts(true),
  });
  return { kind, rowCount, series, system, gpus, row: rowReader(series, { system, gpus, isOfMany }) };
}

function unitOf(kind: PerformanceKind): number {
  return kind === 'perf-5m' ? ROLLUP_MS : 1;
}

type Run =
  | { readonly hostId: string; readonly gpu: null; readonly samples: SystemSample[] }
  | { readonly hostId: string; readonly gpu: GpuIdentity; readonly samples: GpuSample[] };

function seriesOf(rows: readonly PerformanceRow[]): readonly Run[] {
  const runs: Run[] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    const follows = last?.hostId === row.hostId && isSameGpu(last.gpu, row.gpu);
    if (row.gpu === null) {
      if (follows && last?.gpu === null) last.samples.push(row.sample);
      else runs.push({ hostId: row.hostId, gpu: null, samples: [row.sample] });
    } else if (follows && last && last.gpu !== null) last.samples.push(row.sample);
    else runs.push({ hostId: row.hostId, gpu: row.gpu, samples: [row.sample] });
  }
  return runs;
}

function isSameGpu(a: GpuIdentity | null, b: GpuIdentity | null): boolean {
  if (a === null || b === null) return a === b;
  return a.key === b.key && a.id === b.id && a.name === b.name && a.uuid === b.uuid;
}

function rowReader(
  series: readonly PerformanceSeries[],
  columns: {
    readonly system: Measures<SystemSample>;
    readonly gpus: Measures<GpuSample>;
    readonly isOfMany: boolean;
  },
): (index: number) => PerformanceRow {
  const { system, gpus, isOfMany } = columns;
  let cursor = { series: 0, firstRow: 0 };
  return (index) => {
    if (index < cursor.firstRow) cursor = { series: 0, firstRow: 0 };
    for (;;) {
      const one = series[cursor.series];
      if (!one) throw new RangeError(`there is no row ${index}`);
      const at = one.from + index - cursor.firstRow;
      if (at >= one.to) {
        cursor = { series: cursor.series + 1, firstRow: cursor.firstRow + one.to - one.from };
        continue;
      }
      const { hostId, gpu } = one;
      if (gpu === null) return { hostId, gpu, sample: systemAt(system, at, isOfMany) };
      return { hostId, gpu, sample: gpuAt(gpus, at, isOfMany) };
    }
  };
}

function systemAt({ at, value }: Measures<SystemSample>, index: number, isOfMany: boolean): SystemSample {
  return {
    at: at[index] ?? 0,
    cpuPct: value('cpuPct', index),
    memUsedMb: value('memUsedMb', index),
    memTotalMb: value('memTotalMb', index),
    swapUsedMb: value('swapUsedMb', index),
    swapTotalMb: value('swapTotalMb', index),
    loadAvg1: value('loadAvg1', index),
    netInBytesPerSec: value('netInBytesPerSec', index),
    netOutBytesPerSec: value('netOutBytesPerSec', index),
    ...(isOfMany && {
      samples: value('samples', index) ?? 0,
      cpuPctMax: value('cpuPctMax', index),
      cpuPctP95: value('cpuPctP95', index),
      memUsedMbMax: value('memUsedMbMax', index),
      netInBytesPerSecMax: value('netInBytesPerSecMax', index),
      netOutBytesPerSecMax: value('netOutBytesPerSecMax', index),
    }),
  };
}

function gpuAt({ at, value }: Measures<GpuSample>, index: number, isOfMany: boolean): GpuSample {
  return {
    at: at[index] ?? 0,
    utilPct: value('utilPct', index),
    memUsedMb: value('memUsedMb', index),
    memTotalMb: value('memTotalMb', index),
    tempC: value('tempC', index),
    memTempC: value('memTempC', index),
    fanPct: value('fanPct', index),
    powerW: value('powerW', index),
    stale: value('stale', index) === 1,
    ...(isOfMany && {
      samples: value('samples', index) ?? 0,
      utilPctMax: value('utilPctMax', index),
      utilPctP95: value('utilPctP95', index),
      memUsedMbMax: value('memUsedMbMax', index),
      memUsedMbMin: value('memUsedMbMin', index),
      tempCMax: value('tempCMax', index),
      powerWMax: value('powerWMax', index),
    }),
  };
}
