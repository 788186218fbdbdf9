import { expect, test } from 'vitest';
import type { PerformanceRow } from '#shared/schemas/performance.ts';
import { ROLLUP_MS } from '#shared/schemas/performance.ts';
import { realisticSamples } from '#sync/testing/realistic-performance.ts';
import { heldPerformance } from './held-performance.ts';

const START = Date.UTC(2026, 10, 30);

/** Samples at every five minutes, as sealed ones stand. */
function rowsOf(hostId: string, count: number): PerformanceRow[] {
  return realisticSamples({ hostId, gpus: 2, ticks: count, startAt: START }).map((row): PerformanceRow => {
    const at = START + Math.round((row.sample.at - START) / 5_000) * ROLLUP_MS;
    return row.gpu === null
      ? { ...row, sample: { ...row.sample, at } }
      : { ...row, sample: { ...row.sample, at } };
  });
}

test('what this device holds reads like the collector’s answer: one host, in order, each moment once', () => {
  const hour = rowsOf('box', 12);
  const rows = [...hour.toReversed(), ...rowsOf('other', 12), ...hour];
  const { answer, heldFrom, heldTo } = heldPerformance(rows, {
    hostId: 'box',
    from: START + 2 * ROLLUP_MS,
    to: START + 10 * ROLLUP_MS,
  });
  const moments = Array.from({ length: 8 }, (_, index) => START + (index + 2) * ROLLUP_MS);
  expect(answer.stepMs).toBe(ROLLUP_MS);
  expect(answer.system.map(({ at }) => at)).toEqual(moments);
  expect(answer.gpus).toHaveLength(2);
  for (const { samples } of answer.gpus) expect(samples.map(({ at }) => at)).toEqual(moments);
  expect([heldFrom, heldTo]).toEqual([START, START + 11 * ROLLUP_MS]);
});

test('a host of which nothing is held says so', () => {
  const none = heldPerformance(rowsOf('box', 2), { hostId: 'marlin', from: 0, to: Number.MAX_SAFE_INTEGER });
  expect(none).toMatchObject({ heldFrom: null, heldTo: null, answer: { system: [], gpus: [] } });
});
