import type { GpuSample, PerformanceAnswer, SystemSample } from '#shared/schemas/performance.ts';
import { shortGpuName } from '../../host-parts/gpu-name.ts';
import { timeAxis } from './time-axis.ts';
import type { ChartGap, TimeAxis } from './time-axis.ts';

/** A line of a chart; its values stand at the axis' moments, null where there is none. */
export interface ChartSeries {
  readonly key: string;
  readonly label: string;
  readonly values: readonly (number | null)[];
}

/** A chart: what is measured, in which unit, by one line or several. */
export interface ChartView {
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  readonly digits: number;
  readonly series: readonly ChartSeries[];
  /** Top of its axis, where that is known: 100 %, the memory of the largest card. */
  readonly max: number | null;
}

/** All charts of a host, on one axis. */
export interface ChartsView {
  readonly times: readonly number[];
  readonly gaps: readonly ChartGap[];
  readonly charts: readonly ChartView[];
  /** What the host never told in this time, in words. */
  readonly missing: readonly string[];
}

const MIB_PER_GIB = 1024;
const BYTES_PER_MIB = 1024 * 1024;

interface Measure<Sample> {
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  readonly digits: number;
  readonly value: (sample: Sample) => number | null;
  readonly max?: (samples: readonly Sample[]) => number | null;
}

const gib = (mib: number | null): number | null => (mib === null ? null : mib / MIB_PER_GIB);
const mib = (bytes: number | null): number | null => (bytes === null ? null : bytes / BYTES_PER_MIB);

const GPU_MEASURES: readonly Measure<GpuSample>[] = [
  {
    key: 'vram',
    title: 'VRAM',
    unit: 'GiB',
    digits: 1,
    value: ({ memUsedMb }) => gib(memUsedMb),
    max: (samples) => gib(largest(samples, ({ memTotalMb }) => memTotalMb)),
  },
  {
    key: 'util',
    title: 'Utilisation',
    unit: '%',
    digits: 0,
    value: ({ utilPct }) => utilPct,
    max: () => 100,
  },
  { key: 'temp', title: 'Temperature', unit: '°C', digits: 0, value: ({ tempC }) => tempC },
  { key: 'power', title: 'Power', unit: 'W', digits: 0, value: ({ powerW }) => powerW },
];

const CPU: Measure<SystemSample> = {
  key: 'cpu',
  title: 'CPU',
  unit: '%',
  digits: 0,
  value: ({ cpuPct }) => cpuPct,
  max: () => 100,
};
const MEMORY: Measure<SystemSample> = {
  key: 'memory',
  title: 'Memory',
  unit: 'GiB',
  digits: 1,
  value: ({ memUsedMb }) => gib(memUsedMb),
  max: (samples) => gib(largest(samples, ({ memTotalMb }) => memTotalMb)),
};
const NETWORK = { key: 'network', title: 'Network', unit: 'MiB/s', digits: 1, max: null } as const;

/** Derives the charts of an answer for the time between `from` and `to`. */
export function chartsView(
  { stepMs, system, gpus }: PerformanceAnswer,
  span: { readonly from: number; readonly to: number },
): ChartsView {
  const moments = [...system, ...gpus.flatMap(({ samples }) => samples)].map(({ at }) => at);
  const axis = timeAxis(moments, { ...span, stepMs });
  const names = gpuLabels(gpus);
  const all = gpus.flatMap(({ samples }) => samples);
  const ofGpus = GPU_MEASURES.map(({ value, max, ...head }): ChartView => {
    const series = gpus.map(({ key, samples }, index) => ({
      key,
      label: names[index] ?? '',
      values: valuesOf(axis, samples, value),
    }));
    return { ...head, max: max?.(all) ?? null, series };
  });
  const ofSystem = [CPU, MEMORY].map(({ value, max, ...head }): ChartView => {
    const series = [{ key: head.key, label: 'machine', values: valuesOf(axis, system, value) }];
    return { ...head, max: max?.(system) ?? null, series };
  });
  const network: ChartView = {
    ...NETWORK,
    series: [
      { key: 'in', label: 'in', values: valuesOf(axis, system, (sample) => mib(sample.netInBytesPerSec)) },
      { key: 'out', label: 'out', values: valuesOf(axis, system, (sample) => mib(sample.netOutBytesPerSec)) },
    ],
  };
  const charts = [...ofGpus, ...ofSystem, network];
  const isTold = (chart: ChartView): boolean =>
    chart.series.some(({ values }) => values.some((value) => value !== null));
  return {
    times: axis.times,
    gaps: axis.gaps,
    charts: charts.filter(isTold),
    missing:
      axis.times.length === 0 ? [] : charts.filter((chart) => !isTold(chart)).map(({ title }) => title),
  };
}

/** What a chart shows at a moment of the axis, as its unit is written; null: it shows nothing there. */
export function valueAt(chart: ChartView, series: ChartSeries, index: number | null): string | null {
  const value = index === null ? null : (series.values[index] ?? null);
  return value === null ? null : value.toFixed(chart.digits);
}

/** The last moment of the axis at which anything is known. */
export function lastIndex({ times, charts }: ChartsView): number | null {
  for (let index = times.length - 1; index >= 0; index -= 1)
    if (charts.some(({ series }) => series.some(({ values }) => (values[index] ?? null) !== null)))
      return index;
  return null;
}

/** Cards by name where each has one of its own, else by number. */
function gpuLabels(gpus: PerformanceAnswer['gpus']): readonly string[] {
  const names = gpus.map(({ name }) => shortGpuName(name));
  if (new Set(names).size === names.length) return names;
  return gpus.map(({ id }, index) => `GPU ${id ?? index}`);
}

function valuesOf<Sample extends { readonly at: number }>(
  axis: TimeAxis,
  samples: readonly Sample[],
  value: (sample: Sample) => number | null,
): readonly (number | null)[] {
  const values: (number | null)[] = axis.times.map(() => null);
  for (const sample of samples) values[axis.indexOf(sample.at)] = value(sample);
  return values;
}

function largest<Sample>(
  samples: readonly Sample[],
  value: (sample: Sample) => number | null,
): number | null {
  return samples.reduce<number | null>((most, sample) => {
    const one = value(sample);
    return one === null ? most : Math.max(most ?? one, one);
  }, null);
}
