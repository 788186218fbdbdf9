import { expect, it } from 'vitest';
import { CLI_ACTOR } from '../domain/audit-log.ts';
import { SESSION_IDLE_MS } from '../domain/session-policy.ts';
import { accessWorld } from '../testing/access-world.ts';
import { createRoleSource } from './role-source.ts';

it('the role of a device ends with its session, that of a key with the key', () => {
  const { auth, signedIn, clock, store } = accessWorld();
  const roles = createRoleSource(store.access, clock);
  const { identity: device } = signedIn('operator');
  const key = auth.createKey({ role: 'admin', label: 'ci' }, CLI_ACTOR);
  const [asDevice, asKey] = [
    { kind: 'device', id: device.id },
    { kind: 'key', id: key.id },
  ] as const;
  expect([roles.roleOf(asDevice), roles.roleOf(asKey)]).toEqual(['operator', 'admin']);
  // One id is not the other's.
  expect(roles.roleOf({ kind: 'key', id: device.id })).toBeNull();

  clock.advance(SESSION_IDLE_MS);
  expect([roles.roleOf(asDevice), roles.roleOf(asKey)]).toEqual([null, 'admin']);
  auth.revokeKey(key.id, CLI_ACTOR);
  expect(roles.roleOf(asKey)).toBeNull();
  const other = signedIn('viewer').identity;
  store.access.revokeDevice(other.id, clock.now());
  expect(roles.roleOf({ kind: 'device', id: other.id })).toBeNull();
});
