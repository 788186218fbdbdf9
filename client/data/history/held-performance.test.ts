import { expect, test } from 'vitest';
import { ROLLUP_MS } from '#shared/schemas/performance.ts';
import { rollupRows } from '../testing/rollups.ts';
import { heldPerformance } from './held-performance.ts';

const START = Date.UTC(2026, 10, 30);

test('what this device holds reads like the collector’s answer: one host, in order, each moment once', () => {
  const hour = rollupRows({ hostId: 'box', count: 12, startAt: START });
  const rows = [...hour.toReversed(), ...rollupRows({ hostId: 'other', count: 12, startAt: START }), ...hour];
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
  const none = heldPerformance(rollupRows({ hostId: 'box', count: 2, startAt: START }), {
    hostId: 'marlin',
    from: 0,
    to: Number.MAX_SAFE_INTEGER,
  });
  expect(none).toMatchObject({ heldFrom: null, heldTo: null, answer: { system: [], gpus: [] } });
});
