import { expect, it } from 'vitest';
import { addressKey, AttemptLimit } from './attempt-limit.ts';

const limit = () => new AttemptLimit({ max: 2, windowMs: 1000, maxAddresses: 2 });

it('lets an address fail so often within the window, sliding', () => {
  const attempts = limit();
  attempts.count('a', 0);
  attempts.count('a', 600);
  expect(attempts.waitMs('a', 700)).toBe(300);
  expect(attempts.waitMs('b', 700)).toBe(0);
  expect(attempts.waitMs('a', 1000)).toBe(0);
  attempts.count('a', 1000);
  expect(attempts.waitMs('a', 1100)).toBe(500);
});

it('remembers a bounded number of addresses, the latest', () => {
  const attempts = limit();
  for (const address of ['a', 'a', 'b', 'b', 'c', 'c']) attempts.count(address, 0);
  expect(['a', 'b', 'c'].map((address) => attempts.waitMs(address, 1) > 0)).toEqual([false, true, true]);
});

it('locks nobody out when the clock is set back', () => {
  const attempts = limit();
  attempts.count('a', 5000);
  attempts.count('a', 5000);
  expect(attempts.waitMs('a', 10)).toBe(0);
});

it.each([
  ['192.168.1.9', '192.168.1.9'],
  ['::ffff:192.168.1.9', '192.168.1.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s counts as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
