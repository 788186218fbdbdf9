import { expect, test } from 'vitest';
import type { DeviceRecord, PairingCodeRecord, PairingRequestRecord } from '../../domain/access-ports.ts';
import { temporaryStore } from '../../testing/temporary-store.ts';

const CODE: PairingCodeRecord = {
  codeHash: 'c1',
  kind: 'cli',
  role: 'operator',
  createdAt: 1,
  expiresAt: 100,
  usedAt: null,
  madeBy: null,
};
const DEVICE: DeviceRecord = {
  id: 'd1',
  label: 'Phone',
  role: 'operator',
  sessionHash: 's1',
  createdAt: 5,
  lastSeenAt: 5,
  revokedAt: null,
};
const REQUEST: PairingRequestRecord = {
  id: 'r1',
  secretHash: 'x1',
  label: 'Tablet',
  role: 'viewer',
  madeBy: 'd1',
  address: '10.0.0.7',
  userAgent: 'Firefox',
  createdAt: 10,
  expiresAt: 100,
  decision: null,
  deviceId: null,
};

test('a code is used once, and stays used when the same text comes again', () => {
  const { access } = temporaryStore();
  access.insertCode(CODE);
  expect(access.code('c1')).toEqual(CODE);
  expect(access.useCode('nope', 10)).toBe(false);
  expect(access.useCode('c1', 10)).toBe(true);
  expect(access.useCode('c1', 11)).toBe(false);
  access.insertCode({ ...CODE, createdAt: 50, expiresAt: 500 });
  expect(access.code('c1')).toMatchObject({ usedAt: 10, expiresAt: 100 });
});

test('a first-start code is replaced by the next, a maker keeps its newest codes', () => {
  const { access } = temporaryStore();
  const first: PairingCodeRecord = { ...CODE, kind: 'first_start', role: 'admin', expiresAt: null };
  access.insertCode({ ...first, codeHash: 'f1' });
  access.insertCode({ ...first, codeHash: 'f2' });
  expect(access.code('f1')).toBeNull();
  expect(access.code('f2')).not.toBeNull();
  const own: PairingCodeRecord = { ...CODE, kind: 'device', madeBy: 'd1' };
  for (const codeHash of ['a', 'b', 'c']) access.insertCode({ ...own, codeHash }, 2);
  access.insertCode({ ...own, codeHash: 'other', madeBy: 'd2' }, 2);
  expect(['a', 'b', 'c', 'other'].map((hash) => access.code(hash) !== null)).toEqual([
    false,
    true,
    true,
    true,
  ]);
});

test('requests are open until decided or over, and become one device', () => {
  const { access } = temporaryStore();
  access.insertRequest(REQUEST);
  expect(access.requestBySecret('x1')).toEqual(REQUEST);
  expect(access.openRequests(99)).toEqual([REQUEST]);
  expect(access.openRequests(100)).toEqual([]);
  access.decide('r1', { decision: 'allowed', role: 'operator', expiresAt: 160 });
  access.collect('r1', 'd9');
  expect(access.openRequests(50)).toEqual([]);
  const decided = { decision: 'allowed', role: 'operator', expiresAt: 160, deviceId: 'd9' };
  expect(access.request('r1')).toEqual({ ...REQUEST, ...decided });
});

test('what a maker began ends with it, and old codes and requests are dropped in time', () => {
  const { access } = temporaryStore();
  access.insertCode({ ...CODE, kind: 'device', madeBy: 'd1' });
  access.insertRequest(REQUEST);
  access.insertRequest({ ...REQUEST, id: 'r2', secretHash: 'x2', madeBy: 'd2' });
  access.dropPairingsOf('d1');
  expect(access.code('c1')).toBeNull();
  expect(access.request('r1')?.decision).toBe('refused');
  expect(access.openRequests(50)).toMatchObject([{ id: 'r2' }]);
  access.prunePairings(100);
  expect(access.request('r2')).not.toBeNull();
  access.prunePairings(101);
  expect(access.request('r2')).toBeNull();
});

test('devices and keys are found by hash, touched, changed, and revoked once', () => {
  const { access } = temporaryStore();
  expect(access.hasDevice()).toBe(false);
  access.insertDevice(DEVICE);
  expect(access.hasDevice()).toBe(true);
  const touch = (at: number) => access.touch([{ kind: 'device', id: 'd1', at }]);
  touch(70);
  touch(60);
  expect(access.deviceBySession('s1')).toEqual({ ...DEVICE, lastSeenAt: 70 });
  access.updateDevice('d1', { label: 'Mobile', role: 'viewer' });
  expect(access.device('d1')).toMatchObject({ label: 'Mobile', role: 'viewer' });
  expect(access.revokeDevice('d1', 80)).toBe(true);
  expect(access.revokeDevice('d1', 90)).toBe(false);
  expect(access.deviceBySession('s1')).toMatchObject({ revokedAt: 80 });

  const key = {
    id: 'k1',
    label: 'ci',
    role: 'viewer' as const,
    prefix: 'drv_ab',
    keyHash: 'h1',
    createdAt: 1,
    lastUsedAt: null,
    revokedAt: null,
  };
  access.insertKey(key);
  access.touch([{ kind: 'key', id: 'k1', at: 33 }]);
  expect(access.keyByHash('h1')).toEqual({ ...key, lastUsedAt: 33 });
  expect(access.keyByHash('h2')).toBeNull();
  expect(access.revokeKey('k1', 40)).toBe(true);
  expect(access.revokeKey('k1', 41)).toBe(false);
  expect(access.keys()).toMatchObject([{ id: 'k1', revokedAt: 40 }]);
});
