import { expect, test } from 'vitest';
import type { ActivityGap } from '#shared/schemas/activity.ts';
import { request } from '../testing/activity.ts';
import type { TimelineWish } from './held-timeline.ts';
import { TimelineSketch } from './held-timeline.ts';
import { blockOf } from './row-block.ts';

const MINUTE = 60_000;
const T0 = 1_780_000_020_000;
const WISH: TimelineWish = {
  hostId: 'marlin',
  from: T0,
  to: T0 + 5 * MINUTE,
  bucketMs: MINUTE,
  clockOffsetMs: 0,
};

test('requests and failures are counted in the bucket in which they ended, those of other hosts and times are not', () => {
  const sketch = new TimelineSketch(WISH);
  sketch.addBlock(
    blockOf([
      request({ id: 1, endedAt: T0 }),
      request({ id: 2, endedAt: T0 + MINUTE - 1, status: 500 }),
      request({ id: 3, endedAt: T0 + 4 * MINUTE, error: 'gone' }),
      request({ id: 4, endedAt: T0 - 1 }),
      request({ id: 5, endedAt: T0 + 5 * MINUTE }),
      request({ id: 6, endedAt: T0, hostId: 'heron' }),
    ]),
  );
  expect(sketch.finish(null)).toMatchObject({ requests: [2, 0, 0, 0, 1], failed: [1, 0, 0, 0, 1] });
});

test('a row that stands in the tail, an hour and its day counts once; ids may begin anew', () => {
  const sketch = new TimelineSketch(WISH);
  const rows = Array.from({ length: 5_000 }, (_, id) => request({ id, endedAt: T0 + 10 }));
  sketch.addBlock(blockOf(rows));
  sketch.addBlock(blockOf([...rows.slice(4_000), request({ id: 7, idEpoch: 2, endedAt: T0 + 10 })]));
  expect(sketch.finish(null).requests[0]).toBe(5_001);
});

test('tokens are spread over the time in which they were generated, and none is lost within it', () => {
  const sketch = new TimelineSketch(WISH);
  sketch.addBlock(
    blockOf([
      // 3,000 tokens at 50/s: the 60 s before its end, whatever the prompt took.
      request({
        endedAt: T0 + 2 * MINUTE + 10_000,
        outputTokens: 3_000,
        tokensPerSecond: 50,
        durationMs: 90_000,
      }),
    ]),
  );
  const { tokens, tokenStepMs, tellsTokens } = sketch.finish(null);
  expect([tokenStepMs, tellsTokens, tokens.length]).toEqual([20_000, true, 15]);
  expect(tokens.map(Math.round)).toEqual([0, 0, 0, 500, 1000, 1000, 500, 0, 0, 0, 0, 0, 0, 0, 0]);
});

test('what ended after the time that is shown generated in it; who tells no tokens tells nothing', () => {
  const late = new TimelineSketch(WISH);
  const endedAt = T0 + 6 * MINUTE;
  late.addBlock(
    blockOf([request({ endedAt, outputTokens: 600, tokensPerSecond: null, durationMs: 2 * MINUTE })]),
  );
  const shown = late.finish(null);
  expect(shown.tokens.slice(-3).map(Math.round)).toEqual([100, 100, 100]);
  expect(shown.requests).toEqual([0, 0, 0, 0, 0]);
  const silent = new TimelineSketch(WISH);
  silent.addBlock(blockOf([request({ endedAt: T0 + 5, outputTokens: null })]));
  expect(silent.finish(null)).toMatchObject({ tellsTokens: false });
});

test('a model serves from the begin of a request to its end; requests beside each other are one stretch', () => {
  const sketch = new TimelineSketch(WISH);
  sketch.addBlock(
    blockOf([
      request({ id: 1, endedAt: T0 + 30_000, durationMs: 30_000 }),
      request({ id: 2, endedAt: T0 + 45_000, durationMs: 20_000 }),
      request({ id: 3, endedAt: T0 + 3 * MINUTE, durationMs: null }),
      request({ id: 4, endedAt: T0 + MINUTE, modelId: 'embed', durationMs: 1_000 }),
    ]),
  );
  const { serving } = sketch.finish(null);
  const coder = serving.find(({ modelId }) => modelId === 'coder')?.spans;
  expect(coder?.map(({ from, to }) => [from - T0, to - T0])).toEqual([
    [0, 45_200],
    [180_000, 180_200],
  ]);
  expect(serving.map(({ modelId }) => modelId)).toEqual(['coder', 'embed']);
});

test('times of a host whose clock differs are moved to the collector’s; gaps it knows of come along', () => {
  const sketch = new TimelineSketch({ ...WISH, clockOffsetMs: 2 * MINUTE });
  const gap: ActivityGap = {
    type: 'gap',
    hostId: 'marlin',
    idEpoch: 1,
    fromId: 4,
    toId: 9,
    from: T0 - MINUTE,
    to: T0,
    reason: 'ring_wrapped',
    endedAt: T0,
  };
  sketch.addBlock(blockOf([request({ endedAt: T0 - MINUTE }), gap, { ...gap, hostId: 'heron' }]));
  const { requests, gaps } = sketch.finish(T0);
  expect(requests).toEqual([0, 1, 0, 0, 0]);
  expect(gaps.map(({ from, to }) => [from, to])).toEqual([[T0 + MINUTE, T0 + 2 * MINUTE]]);
});
