import { expect, test } from 'vitest';
import type { HeldTimeline } from '../../../data/history/held-timeline.ts';
import { bucketMsOf, bucketStart } from '../../../data/time-buckets.ts';
import type { ActivityFacts } from './activity-charts.ts';
import { activityCharts } from './activity-charts.ts';

const MINUTE = 60_000;
const T0 = 1_780_000_020_000;

function held(change: Partial<HeldTimeline> = {}): HeldTimeline {
  return {
    from: T0,
    bucketMs: MINUTE,
    requests: [0, 2, 0, 1],
    failed: [0, 1, 0, 0],
    tokens: [0, 0, 0, 400, 400, 0, 0, 0, 0, 0, 100, 0],
    tokenStepMs: 20_000,
    tellsTokens: true,
    serving: [],
    gaps: [],
    heldFrom: T0 - MINUTE,
    ...change,
  };
}

const facts: ActivityFacts = { now: T0 + 4 * MINUTE, unseen: [] };
const chart = (key: string, timeline = held(), given = facts) =>
  activityCharts(timeline, given).charts.find((one) => one.key === key);

test('requests are bars of a bucket each, with those that failed in them', () => {
  expect(chart('requests')).toMatchObject({
    title: 'Requests',
    unit: 'per 1 min',
    kind: 'bars',
    times: [T0, T0 + MINUTE, T0 + 2 * MINUTE, T0 + 3 * MINUTE],
    gaps: [],
    series: [{ values: [0, 2, 0, 1] }, { values: [0, 1, 0, 0] }],
  });
});

test('generation is the rate around each moment; of a stretch that just began nothing is said', () => {
  const whole = chart('generation');
  expect(whole?.times.slice(0, 2)).toEqual([T0 + 10_000, T0 + 30_000]);
  expect(whole?.series[0]?.values).toEqual([0, 0, 0, 20, 20, 0, 0, 0, 0, 0, 5, 0]);
  const running = chart('generation', held(), { now: T0 + 3 * MINUTE + 30_000, unseen: [] });
  // Ten of its twenty seconds are over.
  expect(running?.series[0]?.values.slice(-1)).toEqual([10]);
  const begun = chart('generation', held(), { now: T0 + 3 * MINUTE + 21_000, unseen: [] });
  expect(begun?.series[0]?.values.slice(-1)).toEqual([null]);
});

test('before what this device holds and while nobody looked nothing is known, which is no zero', () => {
  const late = chart('requests', held({ requests: [0, 0, 0, 1], heldFrom: T0 + 2 * MINUTE }));
  expect(late?.series[0]?.values).toEqual([null, null, 0, 1]);
  expect(late?.gaps).toEqual([{ from: T0, to: T0 + 2 * MINUTE }]);
  const gap = { from: T0 + MINUTE, to: T0 + 3 * MINUTE };
  const unseen = chart('requests', held(), { ...facts, unseen: [gap] });
  // The host kept a list of what it did meanwhile: what came of it is shown.
  expect(unseen?.series[0]?.values).toEqual([0, 2, null, 1]);
  expect(unseen?.gaps).toEqual([gap]);
  expect(chart('requests', held({ requests: [0, 0, 0, 0], heldFrom: null }))?.series[0]?.values).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test('rows that the collector could not get are a gap', () => {
  const lost = { idEpoch: 1, fromId: 1, toId: 9, reason: 'ring_wrapped', endedAt: T0 + MINUTE } as const;
  const gaps = [{ type: 'gap', hostId: 'marlin', ...lost, from: T0, to: T0 + MINUTE }] as const;
  const requests = chart('requests', held({ gaps, requests: [0, 3, 0, 0] }));
  expect(requests?.gaps).toEqual([{ from: T0, to: T0 + MINUTE }]);
  // None that is known is not none.
  expect(requests?.series[0]?.values.slice(0, 3)).toEqual([null, 3, 0]);
});

test('a host that tells no tokens has no chart of them, and it is said', () => {
  const silent = activityCharts(held({ tellsTokens: false }), facts);
  expect(silent.charts.map(({ key }) => key)).toEqual(['requests']);
  expect(silent.missing).toEqual(['Generation']);
  expect(activityCharts(held({ tellsTokens: false, requests: [0] }), facts).missing).toEqual([]);
});

test('buckets are lengths that people count in, from midnight on', () => {
  const hour = 60 * MINUTE;
  const lengths = [hour, 6 * hour, 24 * hour, 7 * 24 * hour, 30 * 24 * hour].map(bucketMsOf);
  expect(lengths).toEqual([MINUTE, 6 * MINUTE, 30 * MINUTE, 3 * hour, 12 * hour]);
  const at = new Date(2026, 10, 30, 14, 11, 4).getTime();
  expect(bucketStart(at, 3 * hour)).toBe(new Date(2026, 10, 30, 12).getTime());
  expect(bucketStart(at, 6 * MINUTE)).toBe(new Date(2026, 10, 30, 14, 6).getTime());
});
