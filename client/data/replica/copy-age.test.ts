import { expect, test } from 'vitest';
import { CopyAge } from './copy-age.ts';

const NOW = 1_796_000_000_000;

test('a copy is as old as when it was last heard, and a sync counts when contact comes back', () => {
  const age = new CopyAge();
  age.restore({ dataAsOf: NOW - 90_000, lastSyncAt: NOW - 95_000 });
  expect(age.lost(NOW)).toBe(true);
  expect(age.lost(NOW + 1)).toBe(false);
  expect(age).toMatchObject({
    wasLive: false,
    lostAt: NOW,
    inStepAt: NOW - 90_000,
    lastSyncAt: NOW - 95_000,
  });
  expect(age.inStep(NOW + 10, NOW + 20)).toBe(true);
  expect(age.inStep(NOW + 30, NOW + 40)).toBe(false);
  expect(age).toMatchObject({ wasLive: true, lostAt: null, inStepAt: NOW + 30, lastSyncAt: NOW + 20 });
  age.forget();
  expect(age).toMatchObject({ inStepAt: null, lastSyncAt: null, wasLive: true });
});

test('it is written down every ten seconds', () => {
  const age = new CopyAge();
  expect(age.isStampDue(NOW)).toBe(true);
  age.stamped(NOW);
  expect(age.isStampDue(NOW + 10_000)).toBe(false);
  expect(age.isStampDue(NOW + 10_001)).toBe(true);
});
