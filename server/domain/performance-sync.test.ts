import { describe, expect, it } from 'vitest';
import type { ObservedPerformance } from './performance-readings.ts';
import { askAfter, openPerformanceSync, takeSamples, type PerformanceSync } from './performance-sync.ts';

const blank = { cpuPct: null, memUsedMb: null, memTotalMb: null, swapUsedMb: null, swapTotalMb: null };
const gpu = { key: 'GPU-1', id: 0, name: 'RTX', uuid: 'GPU-1' };
const card = {
  utilPct: 1,
  memUsedMb: null,
  memTotalMb: null,
  tempC: null,
  memTempC: null,
  fanPct: null,
  powerW: null,
};

function answer(system: readonly number[], cards: readonly number[] = []): ObservedPerformance {
  return {
    enabled: true,

    system: system.map((at) => ({ at, ...blank, loadAvg1: null, net: [] })),
    gpus: cards.length === 0 ? [] : [{ gpu, readings: cards.map((at) => ({ at, ...card })) }],
    unreadable: 0,
  };
}

const HOUR_MS = 3_600_000;
const began = 10 * HOUR_MS;
/** Takes answers 5 s apart; returns what became of it and what each gave. */
function play(
  answers: readonly ObservedPerformance[],
  start: PerformanceSync = openPerformanceSync(null, began),
) {
  let sync = start;
  let now = began;
  const given = answers.map((observed) => {
    now += 5_000;
    const step = takeSamples(sync, observed, now);
    sync = step.sync;
    return [
      step.batch?.system.map(({ at }) => at) ?? [],
      step.batch?.gpus[0]?.readings.map(({ at }) => at) ?? [],
    ];
  });
  return { sync, given, now };
}

describe('samples of a host', () => {
  it('are all asked for where nothing is held, then from a little before the newest', () => {
    expect(askAfter(openPerformanceSync(null, began), began)).toBeNull();
    const { sync, now } = play([answer([0, 5_000], [100, 5_100])]);
    expect(askAfter(sync, now)).toBe(0);
    expect(sync.cursor?.newestAt).toBe(5_000);
  });

  it('are taken once, also rows of a card that come after later ones of the machine', () => {
    const { given } = play([answer([0, 5_000], [4_000]), answer([5_000, 10_000], [4_000, 4_900, 9_900])]);
    expect(given).toEqual([
      [[0, 5_000], [4_000]],
      [[10_000], [4_900, 9_900]],
    ]);
  });

  it('are asked for from the begin after a silence, and taken though they are earlier: a clock was set back', () => {
    const silent = answer([]);
    const { sync, now } = play([answer([HOUR_MS]), silent, silent, silent]);
    expect(askAfter(sync, now)).not.toBeNull();
    const later = now + 5_000;
    expect(askAfter(sync, later)).toBeNull();
    const step = takeSamples(sync, answer([HOUR_MS, 20, 5_020]), later);
    expect(step.batch?.system.map(({ at }) => at)).toEqual([20, 5_020]);
    expect(step.sync.cursor?.newestAt).toBe(5_020);
    expect(askAfter(step.sync, later)).toBe(20);
  });

  it('are doubted ever less often where a host samples no more, and patiently where it samples seldom', () => {
    let { sync, now } = play([answer([0, 5_000])]);
    const asked: number[] = [];
    for (const end = now + HOUR_MS; now < end; now += 5_000) {
      if (askAfter(sync, now) === null) asked.push(now);
      ({ sync } = takeSamples(sync, answer([]), now));
    }
    expect(asked.length).toBeLessThan(12);
    const seldom = play([answer([0, 60_000])]);
    expect(askAfter(seldom.sync, seldom.now + 200_000)).not.toBeNull();
    expect(askAfter(seldom.sync, seldom.now + 241_000)).toBeNull();
  });

  it('of a card whose tool died ahead of a clock that was set back do not hide the machine’s', () => {
    const { sync } = play([answer([HOUR_MS], [HOUR_MS + 50]), answer([5], [HOUR_MS + 50])]);
    expect(sync.cursor?.newestAt).toBe(5);
  });
});
