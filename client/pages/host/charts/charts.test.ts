import { expect, test } from 'vitest';
import type { GpuSample, PerformanceAnswer, SystemSample } from '#shared/schemas/performance.ts';
import { realisticSamples } from '#sync/testing/realistic-performance.ts';
import { hostOf } from '../../../data/testing/hosts.ts';
import type { ShownPerformance } from '../../../data/use-performance-history.ts';
import { chartCsv } from './chart-csv.ts';
import { parseChartRange } from './chart-ranges.ts';
import { chartsView, lastIndex, valueAt } from './chart-view.ts';
import { emptyWords, headWords, sourceWords } from './chart-words.ts';
import { timeAxis } from './time-axis.ts';
import { stepCursor, within, zoomed } from './zoom.ts';

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

const ticks = (count: number, startAt = SPAN.from): number[] =>
  Array.from({ length: count }, (_, index) => startAt + index * 5_000);

test('machine and cards of one tick share a moment although they are read after each other', () => {
  const at = ticks(12);
  const view = chartsView(
    answerOf(
      at.map((time) => systemAt(time)),
      at.map((time) => gpuAt(time + 40)),
      at.map((time) => gpuAt(time + 90, { utilPct: 7 })),
    ),
    SPAN,
  );
  expect(view.times).toEqual(at);
  expect(view.gaps).toEqual([]);
  const util = view.charts.find(({ key }) => key === 'util');
  expect(util?.series.map(({ label, values }) => [label, values[3]])).toEqual([
    ['GPU 0', 50],
    ['GPU 1', 7],
  ]);
  expect(view.charts.find(({ key }) => key === 'vram')).toMatchObject({ max: 24 });
});

test('an hour of four cards is drawn to the sample: each value of each line, at its moment, none else', () => {
  const rows = realisticSamples({ gpus: 4, ticks: 720, startAt: NOW - 3_600_000 });
  const system = rows.flatMap((row) => (row.gpu === null ? [row.sample] : []));
  const cards = [...Map.groupBy(rows, (row) => row.gpu?.key ?? '')].flatMap(([key, of]) =>
    key === '' ? [] : [of.flatMap((row) => (row.gpu === null ? [] : [row.sample]))],
  );
  expect([system.length, cards.map(({ length }) => length)]).toEqual([720, [720, 720, 720, 720]]);
  const view = chartsView(answerOf(system, ...cards), { from: NOW - 3_600_000, to: NOW });
  expect(view.gaps).toEqual([]);
  expect(view.times).toEqual(system.map(({ at }) => at));
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
  const [cpu] = chartsView(answerOf(system), { from: NOW - 600_000, to: NOW }).charts;
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
  const view = chartsView(
    answerOf([systemAt(first), systemAt(second)], [gpuAt(first, { powerW: null }), gpuAt(second)]),
    SPAN,
  );
  const power = view.charts.find(({ key }) => key === 'power');
  expect(power?.series[0]?.values).toEqual([null, 200]);
  expect(power && power.series[0] && valueAt(power, power.series[0], 0)).toBeNull();
  expect(view.missing).toEqual(['Temperature', 'Network']);
  expect(lastIndex(view)).toBe(1);
  expect(chartsView(answerOf([]), SPAN)).toMatchObject({ charts: [], missing: [], times: [] });
});

test('a chart’s CSV has a column for each line, quoted names, and no line for a gap', () => {
  const chart = {
    key: 'vram',
    title: 'VRAM',
    unit: 'GiB',
    digits: 1,
    max: null,
    series: [
      { key: 'a', label: 'A, "big"', values: [1.23456, null, null] },
      { key: 'b', label: 'B', values: [null, null, 2] },
    ],
  };
  expect(chartCsv(chart, [0, 1000, 2000])).toBe(
    'time,"VRAM A, ""big"" (GiB)",VRAM B (GiB)\r\n1970-01-01T00:00:00.000Z,1.235,\r\n1970-01-01T00:00:02.000Z,,2\r\n',
  );
});

test('zooming halves around the cursor, stays within the range, and out again shows all', () => {
  const whole = { from: 0, to: 800_000 };
  const half = zoomed(whole, whole, { factor: 0.5, at: 200_000 });
  expect(half).toEqual({ from: 100_000, to: 500_000 });
  expect(zoomed(half ?? whole, whole, { factor: 2, at: 200_000 })).toBeNull();
  expect(zoomed({ from: 0, to: 70_000 }, whole, { factor: 0.5, at: 70_000 })).toEqual({
    from: 10_000,
    to: 70_000,
  });
  expect(within({ from: 790_000, to: 799_000 }, whole)).toEqual({ from: 740_000, to: 800_000 });
  const times = ticks(10, 0);
  expect(stepCursor(times, { from: 10_000, to: 30_000 }, { index: 6, by: 10 })).toBe(6);
  expect(stepCursor(times, { from: 10_000, to: 30_000 }, { index: 6, by: Number.NEGATIVE_INFINITY })).toBe(2);
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
    ...SPAN,
    ...change,
  });
  const moment = { now: NOW, range: '6 h' };
  expect(headWords(SPAN, { at: NOW, isCursor: false })).toMatch(
    /^\d\d:\d\d to \d\d:\d\d · latest \d\d:\d\d:\d\d$/,
  );
  expect(headWords(SPAN, { at: NOW, isCursor: true })).toContain('cursor');
  expect(sourceWords(shownOf(), NOW)).toBe('Every sample.');
  const held = shownOf({ source: 'device', heldFrom: NOW - 7_200_000, heldTo: NOW - 3_600_000 });
  expect(sourceWords({ ...held, answer: { ...held.answer, stepMs: 300_000 } }, NOW)).toMatch(
    /^From this device: averages of 5 min each, back to \d\d:\d\d\./,
  );
  const offers = hostOf('marlin', { features: ['activity', 'performance'] });
  expect(emptyWords(shownOf(), offers, moment)).toBe('No samples in the last 6 h yet.');
  expect(emptyWords(shownOf(), hostOf('old', { features: ['activity'], version: 'v150' }), moment)).toMatch(
    /^This host reports none: llama-swap v150/,
  );
  expect(emptyWords(held, offers, moment)).toMatch(/up to \d\d:\d\d: none of the last 6 h/);
  expect(emptyWords(shownOf({ source: 'device' }), offers, moment)).toBe('Nothing of it is on this device.');
  expect(emptyWords(shownOf({ answer: answerOf([systemAt(NOW)]) }), offers, moment)).toBeNull();
});
