import { expect, it } from 'vitest';
import { AttemptLimit } from './attempt-limit.ts';

const limit = () => new AttemptLimit({ max: 2, windowMs: 1000, maxAddresses: 2 });

it('lets an address fail so often within the window, sliding', () => {
  const attempts = limit();
  attempts.failed('a', 0);
  attempts.failed('a', 600);
  expect(attempts.waitMs('a', 700)).toBe(300);
  expect(attempts.waitMs('b', 700)).toBe(0);
  expect(attempts.waitMs('a', 1000)).toBe(0);
  attempts.failed('a', 1000);
  expect(attempts.waitMs('a', 1100)).toBe(500);
});

it('remembers a bounded number of addresses, the latest', () => {
  const attempts = limit();
  for (const address of ['a', 'a', 'b', 'b', 'c', 'c']) attempts.failed(address, 0);
  expect(['a', 'b', 'c'].map((address) => attempts.waitMs(address, 1) > 0)).toEqual([false, true, true]);
});

it('locks nobody out when the clock is set back', () => {
  const attempts = limit();
  attempts.failed('a', 5000);
  attempts.failed('a', 5000);
  expect(attempts.waitMs('a', 10)).toBe(0);
});
