import { expect, test } from 'vitest';
import type { PairingCodeRecord } from '../../domain/access-ports.ts';
import { temporaryStore } from '../../testing/temporary-store.ts';

const CODE: PairingCodeRecord = {
  codeHash: 'c1',
  kind: 'cli',
  role: 'operator',
  createdAt: 1,
  expiresAt: 100,
  usedAt: null,
};
const DEVICE = { id: 'd1', label: 'Phone', sessionHash: 's1', createdAt: 5, lastSeenAt: 5 };

test('a code pairs one device with its role, once and before it expires', () => {
  const { access } = temporaryStore();
  access.insertCode(CODE);
  expect(access.redeem('nope', DEVICE, 10)).toEqual({ kind: 'unknown' });
  expect(access.redeem('c1', DEVICE, 100)).toEqual({ kind: 'expired' });
  expect(access.hasDevice()).toBe(false);
  expect(access.redeem('c1', DEVICE, 10)).toEqual({ kind: 'paired', role: 'operator' });
  expect(access.redeem('c1', { ...DEVICE, id: 'd2', sessionHash: 's2' }, 10)).toEqual({ kind: 'used' });
  expect(access.devices()).toEqual([{ ...DEVICE, role: 'operator', revokedAt: null }]);
  access.insertCode({ ...CODE, createdAt: 50, expiresAt: 500 });
  expect(access.redeem('c1', { ...DEVICE, id: 'd2', sessionHash: 's2' }, 60)).toEqual({ kind: 'used' });
});

test('a first-start code is replaced by the next and is nothing once a device exists', () => {
  const { access } = temporaryStore();
  const first = { ...CODE, kind: 'first_start' as const, role: 'admin' as const, expiresAt: null };
  access.insertCode({ ...first, codeHash: 'f1' });
  access.insertCode({ ...first, codeHash: 'f2' });
  expect(access.code('f1')).toBeNull();
  expect(access.redeem('f2', DEVICE, 1e15)).toEqual({ kind: 'paired', role: 'admin' });
  access.insertCode({ ...first, codeHash: 'f3' });
  expect(access.redeem('f3', { ...DEVICE, id: 'd2', sessionHash: 's2' }, 1e15)).toEqual({ kind: 'unknown' });
});

test('devices and keys are found by hash, touched, and revoked once', () => {
  const { access } = temporaryStore();
  access.insertCode(CODE);
  access.redeem('c1', DEVICE, 10);
  access.touchDevice('d1', 70);
  access.touchDevice('d1', 60);
  expect(access.deviceBySession('s1')).toMatchObject({ id: 'd1', lastSeenAt: 70 });
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
  access.touchKey('k1', 33);
  expect(access.keyByHash('h1')).toEqual({ ...key, lastUsedAt: 33 });
  expect(access.keyByHash('h2')).toBeNull();
  expect(access.revokeKey('k1', 40)).toBe(true);
  expect(access.revokeKey('k1', 41)).toBe(false);
  expect(access.keys()).toMatchObject([{ id: 'k1', revokedAt: 40 }]);
});
