import { describe, expect, it } from 'vitest';
import { must } from '#shared/lib/assert.ts';
import { recordedBody } from '../testing/recordings.ts';
import { mapPerformance } from './map-performance.ts';
import { groupTicks, markStale } from './performance-ticks.ts';

const blank = { utilPct: null, memUsedMb: null, memTotalMb: null, tempC: null, memTempC: null, fanPct: null };
const card = (times: readonly number[]) => times.map((at) => ({ at, ...blank, powerW: null }));
const every = (stepMs: number, count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => from + index * stepMs);

describe('groupTicks', () => {
  it.each(['v217', 'v250', 'main'])('puts what %s took together into one tick, each row once', (version) => {
    const { system, gpus } = must(
      mapPerformance(JSON.parse(recordedBody(version, '/api/performance'))),
      version,
    );
    const ticks = groupTicks(
      system,
      gpus.map(({ gpu, readings }) => ({ key: gpu.key, samples: readings })),
    );
    // Cards are read once before the machine's own first sample.
    expect(ticks).toHaveLength(system.length + 1);
    expect(ticks[0]?.system).toBeNull();
    expect(ticks.slice(1).every((tick) => tick.system !== null && tick.gpus.size === 2)).toBe(true);
  });

  it('begins another tick where one has that row already', () => {
    const ticks = groupTicks([{ at: 0 }, { at: 500 }], [{ key: 'a', samples: [{ at: 100 }] }]);
    expect(ticks.map(({ at, gpus }) => [at, gpus.size])).toEqual([
      [0, 1],
      [500, 0],
    ]);
  });
});

describe('markStale', () => {
  const stale = (times: readonly number[], system: readonly number[]) =>
    markStale(card(times), system).map((sample) => sample.stale);

  it('marks nothing while rows come, at any pace and on either side of the machine’s', () => {
    for (const paceMs of [5000, 60_000]) {
      expect(stale(every(paceMs, 5), every(paceMs, 5, 700))).not.toContain(true);
      expect(stale(every(paceMs, 5, 700), every(paceMs, 5))).not.toContain(true);
    }
  });

  it('forgives two missed rows, not three', () => {
    expect(stale([0, 15_000], every(5000, 4, 100))).toEqual([false, false]);
    expect(stale([0, 20_000], every(5000, 5, 100))).toEqual([true, false]);
  });

  it('marks the last row of a tool that died while the machine was sampled on, not of one that stands still with it', () => {
    expect(stale([0, 5000], every(5000, 9, 100))).toEqual([false, true]);
    expect(stale([0, 5000], [100, 5100])).toEqual([false, false]);
  });
});
