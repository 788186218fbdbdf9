import { expect, test } from 'vitest';
import type { HeldTimeline } from '../../data/history/held-timeline.ts';
import type { RateFacts } from './rate-view.ts';
import { rateView } from './rate-view.ts';

const MINUTE = 60_000;
const T0 = 1_780_000_020_000;
const NOW = T0 + 10 * MINUTE + 30_000;

/** Ten whole minutes and the half one that runs, by tokens. */
function viewOf(
  tokens: readonly number[],
  change: Partial<HeldTimeline> = {},
  given: Partial<RateFacts> = {},
) {
  const held: HeldTimeline = {
    from: T0,
    bucketMs: 3 * MINUTE,
    requests: [4, 4, 4, 4],
    failed: [0, 0, 0, 0],
    tokens,
    tokenStepMs: MINUTE,
    tellsTokens: true,
    serving: [],
    gaps: [],
    heldFrom: T0 - MINUTE,
    ...change,
  };
  const now = { now: NOW, knownUntil: NOW, isLive: true, running: 0 };
  return rateView({ held, spanMs: 10 * MINUTE, ...now, ...given });
}

const steady = Array.from({ length: 12 }, () => 600);

test('a host at work has one line that ends in a dot now, and the speed of about the last minute', () => {
  const view = viewOf([...steady.slice(0, 10), 300, 0]);
  // Half of the minute that runs is over: 300 tokens of it, and half of the 600 before.
  expect(view?.words).toBe('10.0 t/s');
  expect(view?.dot).toEqual({ x: 1, y: 1 });
  expect(view?.lines).toHaveLength(1);
  expect(view?.lines[0]?.at(-1)).toEqual(view?.dot);
  expect(view?.lines[0]?.every(({ x, y }) => x >= 0 && x <= 1 && y === 1)).toBe(true);
});

test('a host that serves nothing is at 0, which is known', () => {
  const idle = viewOf(
    steady.map(() => 0),
    { tellsTokens: false, requests: [0, 0, 0, 0] },
  );
  expect(idle?.words).toBe('0 t/s');
  expect(idle?.dot).toEqual({ x: 1, y: 0 });
});

test.each([2, null])(
  'while %s requests run and none ended in the last minute, the speed is unknown',
  (running) => {
    const quiet = [...steady.slice(0, 9), 0, 0, 0];
    const view = viewOf(quiet, {}, { running });
    expect([view?.words, view?.dot]).toEqual(['–', null]);
    expect(view?.lines).toHaveLength(1);
    expect(viewOf(quiet, {}, { running: 0 })?.words).toBe('0 t/s');
    expect(viewOf([...steady.slice(0, 10), 300, 0], {}, { running })?.words).toBe('10.0 t/s');
  },
);

test('a line breaks where requests were lost, and begins where this device begins to know', () => {
  const lost = { idEpoch: 1, fromId: 1, toId: 9, reason: 'ring_wrapped', endedAt: T0 + 5 * MINUTE } as const;
  const from = T0 + 4 * MINUTE;
  const gaps = [{ type: 'gap', hostId: 'marlin', ...lost, from, to: T0 + 5 * MINUTE }] as const;
  const holed = viewOf(
    steady.map((count, minute) => (minute === 4 ? 0 : count)),
    { gaps },
  );
  expect(holed?.lines.map((line) => line.length)).toEqual([4, 6]);
  const late = viewOf(steady, { heldFrom: T0 + 7 * MINUTE });
  expect(late?.lines).toHaveLength(1);
  expect(late?.lines[0]?.[0]?.x).toBeCloseTo(0.7);
});

test('what is not live has no dot and no number, and ends when the host was last heard', () => {
  const past = viewOf(steady, {}, { isLive: false, knownUntil: T0 + 5 * MINUTE });
  expect([past?.words, past?.dot]).toEqual(['–', null]);
  expect(past?.lines.map((line) => line.length)).toEqual([5]);
});

test('where nothing of the time is known there is nothing to draw; where no request tells its tokens neither', () => {
  expect(viewOf(steady, {}, { isLive: false, knownUntil: T0 - MINUTE })).toBeNull();
  expect(viewOf(steady, { heldFrom: null })).toBeNull();
  expect(
    viewOf(
      steady.map(() => 0),
      { tellsTokens: false },
    ),
  ).toBeNull();
});
