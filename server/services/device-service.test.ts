import { describe, expect, it, vi } from 'vitest';
import type { Identity } from '../domain/identity.ts';
import { CHANGE_LIMIT } from '../domain/pairing-policy.ts';
import { SESSION_IDLE_MS } from '../domain/session-policy.ts';
import { accessWorld, refusal } from '../testing/access-world.ts';

describe('devices', () => {
  it('are all shown to admins, and to others their own', () => {
    const { devices, signedIn, withKey } = accessWorld();
    const admin = signedIn('admin').identity;
    const viewer = signedIn('viewer').identity;
    expect(devices.list(admin)).toMatchObject([
      { id: admin.id, role: 'admin', current: true },
      { id: viewer.id, role: 'viewer', current: false },
    ]);
    expect(devices.list(viewer)).toMatchObject([{ id: viewer.id, current: true }]);
    expect(devices.list(withKey('viewer'))).toEqual([]);
  });

  it('may rename themselves; the rest needs an admin', () => {
    const { devices, signedIn, store, actions } = accessWorld();
    const admin = signedIn('admin').identity;
    const viewer = signedIn('viewer').identity;
    expect(devices.patch(viewer, viewer.id, { label: 'ana-phone' })).toMatchObject({ label: 'ana-phone' });
    expect(refusal(() => devices.patch(viewer, viewer.id, { role: 'admin' })).code).toBe('forbidden');
    expect(refusal(() => devices.patch(viewer, admin.id, { label: 'x' })).code).toBe('forbidden');
    expect(devices.patch(admin, viewer.id, { label: 'tablet', role: 'operator' })).toMatchObject({
      label: 'tablet',
      role: 'operator',
    });
    // Nothing changed, so there is nothing to tell.
    devices.patch(admin, viewer.id, { role: 'operator' });
    expect(actions().slice(-3)).toEqual(['device.rename', 'device.rename', 'device.role']);
    expect(store.audit.read({ afterId: store.audit.lastId() - 1, limit: 1 })).toMatchObject([
      { actor: { id: admin.id }, target: viewer.id, detail: { from: 'viewer', to: 'operator' } },
    ]);
  });

  it('cannot fill the audit log with names', () => {
    const { devices, signedIn, clock } = accessWorld();
    const { identity } = signedIn('viewer');
    const rename = (label: string) => devices.patch(identity, identity.id, { label });
    for (let count = 0; count < CHANGE_LIMIT.max; count += 1) rename(`name ${count}`);
    expect(refusal(() => rename('one more')).code).toBe('rate_limited');
    clock.advance(CHANGE_LIMIT.windowMs);
    expect(rename('later').label).toBe('later');
  });

  it('have a new role and name at once, and their sockets hear of it', () => {
    const { auth, devices, signedIn, whoIs } = accessWorld();
    const admin = signedIn('admin').identity;
    const { identity, session } = signedIn('operator');
    auth.start();
    const changed = vi.fn<(identity: Identity) => void>();
    auth.onChanged(changed);
    devices.patch(admin, identity.id, { role: 'viewer' });
    expect(changed.mock.calls).toEqual([[{ ...identity, role: 'viewer' }]]);
    expect(whoIs(session)).toMatchObject({ role: 'viewer' });
    auth.stop();
  });

  it('are revoked for good, with their sockets', () => {
    const { auth, devices, signedIn, whoIs } = accessWorld();
    const admin = signedIn('admin').identity;
    const { identity, session } = signedIn('operator');
    auth.start();
    const ended = vi.fn<(id: string, why: string) => void>();
    auth.onEnded(ended);
    devices.revoke(admin, identity.id);
    expect(ended.mock.calls).toEqual([[identity.id, 'revoked']]);
    expect(whoIs(session)).toBe('revoked');
    expect(devices.list(admin)).toHaveLength(1);
    expect(refusal(() => devices.revoke(admin, identity.id)).code).toBe('not_found');
    expect(refusal(() => devices.patch(admin, identity.id, { label: 'x' })).code).toBe('not_found');
    auth.stop();
  });

  it('never lose their last admin, and one whose session ran out counts for nothing', () => {
    const { devices, signedIn, withKey, clock, store } = accessWorld();
    const { identity: gone } = signedIn('admin');
    clock.advance(SESSION_IDLE_MS);
    const { identity: last } = signedIn('admin');
    const key = withKey('admin');
    const before = store.audit.lastId();
    expect(refusal(() => devices.revoke(last, last.id)).code).toBe('last_admin');
    expect(refusal(() => devices.revoke(key, last.id)).code).toBe('last_admin');
    expect(refusal(() => devices.patch(last, last.id, { role: 'operator' })).code).toBe('last_admin');
    expect(refusal(() => devices.revoke(last, gone.id)).code).toBe('not_found');
    expect(store.audit.lastId()).toBe(before);
    const { identity: second } = signedIn('admin');
    devices.revoke(second, last.id);
    expect(refusal(() => devices.patch(second, second.id, { role: 'viewer' })).code).toBe('last_admin');
    expect(devices.patch(second, second.id, { label: 'still admin' }).role).toBe('admin');
  });
});
