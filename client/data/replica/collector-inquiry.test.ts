import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CollectorInfo } from './collector-info.ts';
import { CollectorInquiry } from './collector-inquiry.ts';

const NO_ANSWER: CollectorInfo = { type: 'no-answer', message: 'nobody' };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('one question at a time: who asks meanwhile waits for the same answer, acted upon', async () => {
  const acted: string[] = [];
  const ask = vi.fn<() => Promise<CollectorInfo>>(() => Promise.resolve({ type: 'signed-out' }));
  const inquiry = new CollectorInquiry({
    ask,
    onAnswer: async ({ type }) => {
      await Promise.resolve();
      acted.push(type);
    },
  });
  await Promise.all([inquiry.now(), inquiry.now()]);
  expect(ask).toHaveBeenCalledOnce();
  expect(acted).toEqual(['signed-out']);
  await inquiry.now();
  expect(ask).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(0);
});

test('without an answer it asks again, each time later, up to half a minute', async () => {
  const at: number[] = [];
  const inquiry = new CollectorInquiry({
    ask: () => {
      at.push(Date.now());
      return Promise.resolve(NO_ANSWER);
    },
    onAnswer: () => Promise.resolve(),
  });
  await inquiry.now();
  await vi.advanceTimersByTimeAsync(300_000);
  const waits = at.slice(1).map((moment, index) => moment - (at[index] ?? 0));
  expect(waits[0]).toBeLessThanOrEqual(1_000);
  expect(Math.max(...waits)).toBeGreaterThan(14_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
});
