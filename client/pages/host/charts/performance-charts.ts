import type { GpuSample, PerformanceAnswer, SystemSample } from '#shared/schemas/performance.ts';
import { shortGpuName } from '../../host-parts/gpu-name.ts';
import { formatGib } from '../../host-parts/performance-view.ts';
import type { ChartSeries, ChartValues, ChartView } from './chart-view.ts';
import { timeAxis } from './time-axis.ts';
import type { TimeAxis } from './time-axis.ts';

/** The charts of a host's samples, on one axis. */
export interface PerformanceCharts {
  readonly charts: readonly ChartView[];
  /** What the host never told in this time, in words. */
  readonly missing: readonly string[];
}

type Value<Sample> = (sample: Sample) => number | null;

interface Measure<Sample> {
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  readonly digits: number;
  readonly value: Value<Sample>;
  /** Only in samples that stand for many. */
  readonly max?: Value<Sample>;
  readonly p95?: Value<Sample>;
  readonly top?: number;
  readonly total?: Value<Sample>;
}

const MIB_PER_GIB = 1024;
const BYTES_PER_MIB = 1024 * 1024;
const gib = (mib: number | null | undefined): number | null => (mib == null ? null : mib / MIB_PER_GIB);
const mib = (bytes: number | null | undefined): number | null =>
  bytes == null ? null : bytes / BYTES_PER_MIB;

const GPU_MEASURES: readonly Measure<GpuSample>[] = [
  {
    key: 'vram',
    title: 'VRAM',
    unit: 'GiB',
    digits: 1,
    value: ({ memUsedMb }) => gib(memUsedMb),
    max: ({ memUsedMbMax }) => gib(memUsedMbMax),
    total: ({ memTotalMb }) => memTotalMb,
  },
  {
    key: 'util',
    title: 'Utilisation',
    unit: '%',
    digits: 0,
    value: ({ utilPct }) => utilPct,
    max: ({ utilPctMax = null }) => utilPctMax,
    p95: ({ utilPctP95 = null }) => utilPctP95,
    top: 100,
  },
  {
    key: 'power',
    title: 'Power',
    unit: 'W',
    digits: 0,
    value: ({ powerW }) => powerW,
    max: ({ powerWMax = null }) => powerWMax,
  },
  {
    key: 'temp',
    title: 'Temperature',
    unit: '°C',
    digits: 0,
    value: ({ tempC }) => tempC,
    max: ({ tempCMax = null }) => tempCMax,
  },
];
const SYSTEM_MEASURES: readonly Measure<SystemSample>[] = [
  {
    key: 'cpu',
    title: 'CPU',
    unit: '%',
    digits: 0,
    value: ({ cpuPct }) => cpuPct,
    max: ({ cpuPctMax = null }) => cpuPctMax,
    p95: ({ cpuPctP95 = null }) => cpuPctP95,
    top: 100,
  },
  {
    key: 'memory',
    title: 'Memory',
    unit: 'GiB',
    digits: 1,
    value: ({ memUsedMb }) => gib(memUsedMb),
    max: ({ memUsedMbMax }) => gib(memUsedMbMax),
    total: ({ memTotalMb }) => memTotalMb,
  },
];

/** Derives the charts of an answer for the time between `from` and `to`. */
export function performanceCharts(
  { stepMs, system, gpus }: PerformanceAnswer,
  span: { readonly from: number; readonly to: number },
): PerformanceCharts {
  const moments = [...system, ...gpus.flatMap(({ samples }) => samples)].map(({ at }) => at);
  const axis = timeAxis(moments, { ...span, stepMs });
  const names = gpuLabels(gpus);
  const cards = gpus.map(({ key, samples }, index) => ({ key, label: names[index] ?? '', samples }));
  const machine = [{ key: 'machine', label: 'machine', samples: system }];
  const charts = [
    ...GPU_MEASURES.map((measure) => chartOf(axis, measure, cards)),
    ...SYSTEM_MEASURES.map((measure) => chartOf(axis, measure, machine)),
    networkChart(axis, system),
  ];
  const isTold = ({ series }: ChartView): boolean =>
    series.some(({ values }) => values.some((value) => value !== null));
  return {
    charts: charts.filter(isTold),
    missing:
      axis.times.length === 0 ? [] : charts.filter((chart) => !isTold(chart)).map(({ title }) => title),
  };
}

function chartOf<Sample extends { readonly at: number }>(
  axis: TimeAxis,
  { key, title, unit, digits, value, max, p95, top = 0, total }: Measure<Sample>,
  sources: readonly {
    readonly key: string;
    readonly label: string;
    readonly samples: readonly Sample[];
  }[],
): ChartView {
  const series = sources.map(({ key, label, samples }): ChartSeries => {
    const of = (read: Value<Sample>): ChartValues => valuesOf(axis, samples, read);
    return {
      key,
      label,
      values: of(value),
      ...(max && toldOf('max', of(max))),
      ...(p95 && toldOf('p95', of(p95))),
    };
  });
  const totals = total === undefined ? [] : sources.map(({ samples }) => largest(samples, total));
  return {
    key,
    title,
    unit,
    digits,
    kind: 'lines',
    times: axis.times,
    gaps: axis.gaps,
    series,
    top: top === 0 ? null : top,
    limit: limitOf(totals),
  };
}

function networkChart(axis: TimeAxis, system: readonly SystemSample[]): ChartView {
  const of = (read: Value<SystemSample>): ChartValues => valuesOf(axis, system, read);
  return {
    key: 'network',
    title: 'Network',
    unit: 'MiB/s',
    digits: 1,
    kind: 'lines',
    times: axis.times,
    gaps: axis.gaps,
    series: [
      {
        key: 'in',
        label: 'in',
        values: of(({ netInBytesPerSec }) => mib(netInBytesPerSec)),
        ...toldOf(
          'max',
          of(({ netInBytesPerSecMax }) => mib(netInBytesPerSecMax)),
        ),
      },
      {
        key: 'out',
        label: 'out',
        values: of(({ netOutBytesPerSec }) => mib(netOutBytesPerSec)),
        ...toldOf(
          'max',
          of(({ netOutBytesPerSecMax }) => mib(netOutBytesPerSecMax)),
        ),
      },
    ],
    top: null,
    limit: null,
  };
}

/** Left out where no sample stands for many. */
function toldOf(name: 'max' | 'p95', values: ChartValues): { [name: string]: ChartValues } {
  return values.some((value) => value !== null) ? { [name]: values } : {};
}

/** `24 GiB each` where all have the same, else the largest. */
function limitOf(totalsMb: readonly (number | null)[]): ChartView['limit'] {
  const known = totalsMb.filter((total) => total !== null && total > 0);
  const most = known.reduce<number>((top, total) => Math.max(top, total ?? 0), 0);
  if (most === 0) return null;
  const isEach = known.length > 1 && known.every((total) => total === most);
  return { value: most / MIB_PER_GIB, label: `${formatGib(most)} GiB${isEach ? ' each' : ''}` };
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
  value: Value<Sample>,
): ChartValues {
  const values: (number | null)[] = axis.times.map(() => null);
  for (const sample of samples) values[axis.indexOf(sample.at)] = value(sample);
  return values;
}

function largest<Sample>(samples: readonly Sample[], value: Value<Sample>): number | null {
  return samples.reduce<number | null>((most, sample) => {
    const one = value(sample);
    return one === null ? most : Math.max(most ?? one, one);
  }, null);
}
