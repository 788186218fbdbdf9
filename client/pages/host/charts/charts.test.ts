import { expect, test } from 'vitest';
import type { GpuSample, PerformanceAnswer, SystemSample } from '#shared/schemas/performance.ts';
import { realisticSamples } from '#sync/testing/realistic-performance.ts';
import { hostOf } from '../../../data/testing/fleet.ts';
import type { ShownPerformance } from '../../../data/use-performance-history.ts';
import { chartCsv } from './chart-csv.ts';
import { parseChartRange } from './chart-ranges.ts';
import type { ChartView } from './chart-view.ts';
import { lastKnownAt, placeAt, wordsAt } from './chart-view.ts';
import { cursorWords, emptyWords, sourceWords, spanWords } from './chart-words.ts';
import { performanceCharts } from './performance-charts.ts';
import { timeAxis } from './time-axis.ts';
import { following, panned, stepCursor, within, zoomed } from './zoom.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const SPAN = { from: NOW - 60_000, to: NOW };

function systemAt(at: number, change: Partial<SystemSample> = {}): SystemSample {
  return {
    at,
    cpuPct: 10,
    memUsedMb: 2048,
    memTotalMb: 65_536,
    swapUsedMb: null,
    swapTotalMb: null,
    loadAvg1: null,
    netInBytesPerSec: null,
    netOutBytesPerSec: null,
    ...change,
  };
}

function gpuAt(at: number, change: Partial<GpuSample> = {}): GpuSample {
  return {
    at,
    utilPct: 50,
    memUsedMb: 12_288,
    memTotalMb: 24_576,
    tempC: null,
    memTempC: null,
    fanPct: null,
    powerW: 200,
    stale: false,
    ...change,
  };
}

function answerOf(system: SystemSample[], ...cards: GpuSample[][]): PerformanceAnswer {
  const gpus = cards.map((samples, id) => ({
    key: `GPU-${id}`,
    id,
    name: 'NVIDIA GeForce RTX 3090',
    uuid: null,
    samples,
  }));
  return { stepMs: 0, system, gpus };
}

function chartOf(change: Partial<ChartView>): ChartView {
  const head = { key: 'vram', title: 'VRAM', unit: 'GiB', digits: 1, kind: 'lines' } as const;
  return { ...head, times: [], gaps: [], series: [], top: null, limit: null, ...change };
}

const ticks = (count: number, startAt = SPAN.from): number[] =>
  Array.from({ length: count }, (_, index) => startAt + index * 5_000);

test('machine and cards of one tick share a moment although they are read after each other', () => {
  const at = ticks(12);
  const view = performanceCharts(
    answerOf(
      at.map((time) => systemAt(time)),
      at.map((time) => gpuAt(time + 40)),
      at.map((time) => gpuAt(time + 90, { utilPct: 7 })),
    ),
    SPAN,
  );
  expect(view.charts[0]?.times).toEqual(at);
  expect(view.charts[0]?.gaps).toEqual([]);
  const util = view.charts.find(({ key }) => key === 'util');
  expect(util?.series.map(({ label, values }) => [label, values[3]])).toEqual([
    ['GPU 0', 50],
    ['GPU 1', 7],
  ]);
  expect(view.charts.find(({ key }) => key === 'vram')).toMatchObject({
    limit: { value: 24, label: '24 GiB each' },
  });
});

test('an hour of four cards is drawn to the sample: each value of each line, at its moment, none else', () => {
  const rows = realisticSamples({ gpus: 4, ticks: 720, startAt: NOW - 3_600_000 });
  const system = rows.flatMap((row) => (row.gpu === null ? [row.sample] : []));
  const cards = [...Map.groupBy(rows, (row) => row.gpu?.key ?? '')].flatMap(([key, of]) =>
    key === '' ? [] : [of.flatMap((row) => (row.gpu === null ? [] : [row.sample]))],
  );
  expect([system.length, cards.map(({ length }) => length)]).toEqual([720, [720, 720, 720, 720]]);
  const view = performanceCharts(answerOf(system, ...cards), { from: NOW - 3_600_000, to: NOW });
  for (const { gaps, times } of view.charts) expect([gaps, times]).toEqual([[], system.map(({ at }) => at)]);
  const drawn = Object.fromEntries(
    view.charts.map(({ key, series }) => [key, series.map(({ values }) => values)]),
  );
  const ofCards = (value: (sample: GpuSample) => number | null) => cards.map((samples) => samples.map(value));
  const ofSystem = (value: (sample: SystemSample) => number | null) => system.map(value);
  const share = (value: number | null, of: number) => (value === null ? null : value / of);
  expect(drawn).toEqual({
    vram: ofCards(({ memUsedMb }) => share(memUsedMb, 1024)),
    util: ofCards(({ utilPct }) => utilPct),
    temp: ofCards(({ tempC }) => tempC),
    power: ofCards(({ powerW }) => powerW),
    cpu: [ofSystem(({ cpuPct }) => cpuPct)],
    memory: [ofSystem(({ memUsedMb }) => share(memUsedMb, 1024))],
    network: [
      ofSystem(({ netInBytesPerSec }) => share(netInBytesPerSec, 1024 * 1024)),
      ofSystem(({ netOutBytesPerSec }) => share(netOutBytesPerSec, 1024 * 1024)),
    ],
  });
});

test('what was not recorded is a gap, at the begin and the end too, and lines break in it', () => {
  const at = [...ticks(3, NOW - 500_000), ...ticks(3, NOW - 200_000)];
  const axis = timeAxis(at, { from: NOW - 600_000, to: NOW, stepMs: 0 });
  expect(axis.gaps).toEqual([
    { from: NOW - 600_000, to: NOW - 500_000 },
    { from: NOW - 490_000, to: NOW - 200_000 },
    { from: NOW - 190_000, to: NOW },
  ]);
  expect(axis.times).toHaveLength(7);
  const system = at.map((time) => systemAt(time));
  const [cpu] = performanceCharts(answerOf(system), { from: NOW - 600_000, to: NOW }).charts;
  expect(cpu?.series[0]?.values).toEqual([10, 10, 10, null, 10, 10, 10]);
});

test('a host that sampled seldom before it sampled often has no gaps for that', () => {
  const seldom = [9, 8, 7, 6, 5, 4, 3, 2].map((minutes) => NOW - minutes * 60_000);
  const often = Array.from({ length: 24 }, (_, index) => NOW - 115_000 + index * 5_000);
  const span = { from: NOW - 10 * 60_000, to: NOW, stepMs: 0 };
  expect(timeAxis([...seldom, ...often], span).gaps).toEqual([]);
  const holed = often.filter((_, index) => index < 6 || index > 14);
  expect(timeAxis([...seldom, ...holed], span).gaps).toEqual([{ from: NOW - 90_000, to: NOW - 40_000 }]);
});

test('rollups stand for the time after them: five minutes beside each other are no gap', () => {
  const at = [0, 1, 2, 4].map((index) => NOW - 1_800_000 + index * 300_000);
  const axis = timeAxis(at, { from: NOW - 1_800_000, to: NOW, stepMs: 300_000 });
  expect(axis.gaps).toEqual([]);
  const late = timeAxis([...at, NOW + 3_000_000], {
    from: NOW - 1_800_000,
    to: NOW + 3_300_000,
    stepMs: 300_000,
  });
  expect(late.gaps).toEqual([{ from: NOW - 300_000, to: NOW + 3_000_000 }]);
});

test('unknown is no point, never 0, and what is never told is named', () => {
  const [first = 0, second = 0] = ticks(2);
  const view = performanceCharts(
    answerOf([systemAt(first), systemAt(second)], [gpuAt(first, { powerW: null }), gpuAt(second)]),
    SPAN,
  );
  const power = view.charts.find(({ key }) => key === 'power');
  expect(power?.series[0]?.values).toEqual([null, 200]);
  expect(power && power.series[0] && wordsAt(power, power.series[0].values, 0)).toBeNull();
  expect(power && lastKnownAt(power)).toBe(second);
  expect(view.missing).toEqual(['Temperature', 'Network']);
  expect(performanceCharts(answerOf([]), SPAN)).toEqual({ charts: [], missing: [] });
});

test('where samples stand for many, the largest and the 95th percentile stand beside the average', () => {
  const [first = 0, second = 0] = ticks(2);
  const { charts } = performanceCharts(
    answerOf([], [gpuAt(first, { samples: 60, utilPctMax: 98, utilPctP95: 90 }), gpuAt(second)]),
    SPAN,
  );
  const util = charts.find(({ key }) => key === 'util');
  expect(util?.series).toEqual([
    { key: 'GPU-0', label: 'RTX 3090', values: [50, 50], max: [98, null], p95: [90, null] },
  ]);
  expect(util && chartCsv(util).split('\r\n').slice(0, 2)).toEqual([
    'time,Utilisation RTX 3090 (%),Utilisation RTX 3090 max (%),Utilisation RTX 3090 p95 (%)',
    `${new Date(first).toISOString()},50,98,90`,
  ]);
  expect(charts.find(({ key }) => key === 'vram')?.series[0]).not.toHaveProperty('max');
});

test('a moment belongs to the nearest sample or the bar over it, and to nothing in a gap', () => {
  const chart = chartOf({ times: [0, 100, 500, 600], gaps: [{ from: 100, to: 500 }] });
  expect([-5, 40, 60, 100, 300, 590, 900].map((at) => placeAt(chart, at))).toEqual([0, 0, 1, 1, null, 3, 3]);
  const bars = chartOf({ kind: 'bars', times: [0, 100, 200] });
  expect([-5, 99, 100, 250].map((at) => placeAt(bars, at))).toEqual([null, 0, 1, 2]);
});

test('a chart’s CSV has a column for each line, quoted names, and no line for a gap', () => {
  const chart = chartOf({
    times: [0, 1000, 2000],
    series: [
      { key: 'a', label: 'A, "big"', values: [1.23456, null, null] },
      { key: 'b', label: 'B', values: [null, null, 2] },
    ],
  });
  expect(chartCsv(chart)).toBe(
    'time,"VRAM A, ""big"" (GiB)",VRAM B (GiB)\r\n1970-01-01T00:00:00.000Z,1.235,\r\n1970-01-01T00:00:02.000Z,,2\r\n',
  );
});

test('zooming halves around the cursor, ends now, and out again shows all', () => {
  const whole = { from: 0, to: 800_000 };
  const half = zoomed(whole, whole, { factor: 0.5, at: 200_000 });
  expect(half).toEqual({ from: 100_000, to: 500_000 });
  expect(zoomed(half ?? whole, whole, { factor: 2, at: 200_000 })).toBeNull();
  expect(zoomed({ from: 740_000, to: 800_000 }, whole, { factor: 0.5, at: 800_000 })).toEqual({
    from: 740_000,
    to: 800_000,
  });
  expect(within({ from: 790_000, to: 799_000 }, whole)).toEqual({ from: 740_000, to: 800_000 });
});

test('what is shown moves into the past as far as anything is kept, and never past now', () => {
  const whole = { from: NOW - 3_600_000, to: NOW };
  const shown = { from: NOW - 600_000, to: NOW - 300_000 };
  expect(panned(shown, whole, -3_600_000)).toEqual({ from: NOW - 4_200_000, to: NOW - 3_900_000 });
  expect(panned(shown, whole, 3_600_000)).toEqual({ from: NOW - 300_000, to: NOW });
  expect(panned(shown, whole, -1e12).from).toBe(NOW - 30 * 24 * 3_600_000);
  expect(following(shown, whole, NOW - 400_000)).toBe(shown);
  expect(following(shown, whole, NOW - 700_000)).toEqual({ from: NOW - 850_000, to: NOW - 550_000 });
});

test('the cursor steps from moment to moment, also from between two, and stays within its reach', () => {
  const times = ticks(10, 0);
  const reach = { from: 10_000, to: 30_000 };
  const step = (at: number, by: number): number => stepCursor(times, reach, { at, by });
  expect([step(20_000, 1), step(20_000, -1), step(30_000, 10)]).toEqual([25_000, 15_000, 30_000]);
  expect([step(21_000, 1), step(21_000, -1)]).toEqual([25_000, 20_000]);
  expect([step(30_000, Number.NEGATIVE_INFINITY), step(10_000, Number.POSITIVE_INFINITY)]).toEqual([
    10_000, 30_000,
  ]);
  expect(stepCursor([], reach, { at: 12_000, by: 1 })).toBe(12_000);
});

test('a range of the address is one of five or none', () => {
  expect(parseChartRange('7d')).toBe('7d');
  expect([parseChartRange('8d'), parseChartRange(7), parseChartRange(undefined)]).toEqual([null, null, null]);
});

test('the page says where samples are from, how far back, and why there are none', () => {
  const shownOf = (change: Partial<ShownPerformance> = {}): ShownPerformance => ({
    answer: answerOf([]),
    source: 'collector',
    heldFrom: null,
    heldTo: null,
    problem: null,
    now: NOW,
    ...SPAN,
    ...change,
  });
  const moment = { now: NOW, range: '6 h' };
  expect(spanWords(SPAN, NOW)).toMatch(/^\d\d:\d\d to \d\d:\d\d$/);
  expect(cursorWords(SPAN, { at: NOW, isCursor: false })).toMatch(/^latest \d\d:\d\d:\d\d$/);
  expect(cursorWords(SPAN, { at: NOW, isCursor: true })).toContain('cursor');
  expect(sourceWords(shownOf(), NOW)).toBe('Every sample.');
  const held = shownOf({ source: 'device', heldFrom: NOW - 7_200_000, heldTo: NOW - 3_600_000 });
  expect(sourceWords({ ...held, answer: { ...held.answer, stepMs: 300_000 } }, NOW)).toMatch(
    /^From this device: averages of 5 min each, back to \d\d:\d\d\./,
  );
  const offers = hostOf({ id: 'marlin', features: ['activity', 'performance'] });
  expect(emptyWords(shownOf(), offers, moment)).toBe('No samples in the last 6 h yet.');
  expect(
    emptyWords(shownOf(), hostOf({ id: 'old', features: ['activity'], version: 'v150' }), moment),
  ).toMatch(/^This host reports none: llama-swap v150/);
  expect(emptyWords(held, offers, moment)).toMatch(/up to \d\d:\d\d: none of the last 6 h/);
  expect(emptyWords(shownOf({ source: 'device' }), offers, moment)).toBe(
    'No samples of it are on this device.',
  );
  expect(emptyWords(shownOf({ answer: answerOf([systemAt(NOW)]) }), offers, moment)).toBeNull();
});
