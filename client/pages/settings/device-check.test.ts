import { expect, test } from 'vitest';
import type { DeviceFacts } from '../../data/use-device-facts.ts';
import { deviceCheck } from './device-check.ts';

const FACTS: DeviceFacts = {
  appVersion: '0.4.1',
  worker: 'active',
  copyBytes: 18_400_000,
  budgetBytes: 50_000_000,
  persist: 'granted',
  storage: 'saved',
  storageError: null,
  clockOffsetMs: -200,
};

test('a device that is well says version, copy, promise and clock', () => {
  expect(deviceCheck(FACTS)).toEqual({
    name: 'device',
    title: 'This device',
    state: 'ok',
    detail: 'App 0.4.1, service worker active, copy 18.4 MB of 50.0 MB, kept by promise, clock 0.2 s off.',
    remediation: null,
  });
});

test.each<[string, Partial<DeviceFacts>, string, RegExp]>([
  ['plain http', { storage: 'insecure', worker: 'unsupported' }, 'warn', /not encrypted.*no copy/],
  [
    'a browser that keeps nothing',
    { storage: 'not-saved', storageError: 'Quota.' },
    'fail',
    /^Not saved on this device: Quota\. /,
  ],
  ['a clock that is off', { clockOffsetMs: 3 * 60_000 }, 'warn', /clock 3 min behind/],
  ['a clock that is ahead', { clockOffsetMs: -3 * 60_000 }, 'warn', /clock 3 min ahead/],
  ['no service worker', { worker: 'none' }, 'warn', /does not start without network/],
  ['a refused promise', { persist: 'refused' }, 'warn', /may clear this copy/],
])('%s is said with what to do', (_what, change, state, detail) => {
  const check = deviceCheck({ ...FACTS, ...change });
  expect(check).toMatchObject({ state, detail: expect.stringMatching(detail) });
  expect(check.remediation).toMatch(/\w{3}/);
});

test('the worst is said first, and what is known of the rest stays', () => {
  const check = deviceCheck({ ...FACTS, storage: 'not-saved', persist: 'refused', worker: 'waiting' });
  expect(check.state).toBe('fail');
  expect(check.detail).toContain('a newer version waits');
  expect(deviceCheck({ ...FACTS, worker: 'installing', persist: 'not-asked' })).toMatchObject({
    state: 'ok',
  });
});
