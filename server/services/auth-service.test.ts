import { describe, expect, it, vi } from 'vitest';
import { CLI_ACTOR } from '../domain/audit-log.ts';
import { TOUCH_EVERY_MS } from '../domain/session-policy.ts';
import { accessWorld, refusal } from '../testing/access-world.ts';

const DAY_MS = 86_400_000;

describe('sessions', () => {
  it('end after 90 days unused and after a year however used', () => {
    const { signedIn, whoIs, clock } = accessWorld();
    const start = clock.now();
    const idle = signedIn('viewer').session;
    const busy = signedIn('viewer').session;
    clock.advance(89 * DAY_MS);
    expect(whoIs(busy)).toMatchObject({ kind: 'device' });
    clock.advance(DAY_MS);
    expect(whoIs(idle)).toBe('expired');
    for (const day of [160, 240, 320, 364]) {
      clock.jump(day * DAY_MS + start - clock.now());
      expect(whoIs(busy), `day ${day}`).toMatchObject({ kind: 'device' });
    }
    clock.jump(DAY_MS);
    expect(whoIs(busy)).toBe('expired');
  });

  it('that nobody knows are expired, and none is missing', () => {
    const { auth, whoIs, clock } = accessWorld();
    expect(whoIs('made-up')).toBe('expired');
    expect(auth.authenticate({ session: null, key: null }, clock.now())).toBe('missing');
  });

  it('outlive a store that takes no writes', () => {
    const { auth, signedIn, whoIs, clock, store } = accessWorld();
    const { session } = signedIn('viewer');
    clock.advance(DAY_MS);
    auth.start();
    store.connection.pragma('query_only = ON');
    expect(whoIs(session)).toMatchObject({ role: 'viewer' });
    clock.advance(TOUCH_EVERY_MS);
    expect(whoIs(session)).toMatchObject({ role: 'viewer' });
    store.connection.pragma('query_only = OFF');
    auth.stop();
    expect(store.access.devices()).toMatchObject([{ lastSeenAt: clock.now() }]);
  });

  it('are written down as used once a minute for all, and not at each request', () => {
    const { auth, signedIn, whoIs, clock, store } = accessWorld();
    const [one, two] = [signedIn('viewer'), signedIn('viewer')];
    const start = clock.now();
    auth.start();
    const touch = vi.spyOn(store.access, 'touch');
    const stored = () => store.access.devices().map((device) => device.lastSeenAt);
    for (let request = 0; request < 100; request += 1) {
      clock.advance(100);
      whoIs(one.session);
      whoIs(two.session);
    }
    expect(stored()).toEqual([start, start]);
    expect(auth.liveDevices().map((device) => device.lastSeenAt)).toEqual([start + 10_000, start + 10_000]);
    clock.advance(TOUCH_EVERY_MS);
    expect(stored()).toEqual([start + 10_000, start + 10_000]);
    clock.advance(10 * TOUCH_EVERY_MS);
    expect(touch).toHaveBeenCalledTimes(1);
    whoIs(one.session);
    auth.stop();
    expect(stored()).toContain(clock.now());
  });

  it('of a device that came and went between two looks close their sockets too', () => {
    const { auth, signedIn, store, clock } = accessWorld();
    auth.start();
    const ended = vi.fn<(id: string, why: string) => void>();
    auth.onEnded(ended);
    const { identity } = signedIn('viewer');
    store.access.revokeDevice(identity.id, clock.now());
    clock.advance(1_000);
    expect(ended.mock.calls).toEqual([[identity.id, 'revoked']]);
    auth.stop();
  });

  it('close their sockets when signed out, revoked elsewhere, or run out', () => {
    const { auth, signedIn, whoIs, clock, store } = accessWorld();
    const third = signedIn('viewer');
    clock.jump(90 * DAY_MS - 2_000);
    const [first, second] = [signedIn('viewer'), signedIn('viewer')];
    const ended = vi.fn<(id: string, why: string) => void>();
    const unsubscribe = auth.onEnded(ended);
    auth.start();
    auth.signOut(first.identity);
    expect(ended.mock.calls).toEqual([[first.identity.id, 'revoked']]);
    expect(whoIs(first.session)).toBe('revoked');
    // Another process writes the same table.
    store.access.revokeDevice(second.identity.id, clock.now());
    clock.advance(1_000);
    expect(ended.mock.calls.at(-1)).toEqual([second.identity.id, 'revoked']);
    clock.advance(1_000);
    expect(ended.mock.calls.at(-1)).toEqual([third.identity.id, 'expired']);
    expect(ended).toHaveBeenCalledTimes(3);
    unsubscribe();
    auth.stop();
  });
});

describe('API keys', () => {
  it('work until revoked, and their last use is shown', () => {
    const { auth, whoHas, clock } = accessWorld();
    const { id, key, prefix } = auth.createKey({ label: 'ci', role: 'operator' }, CLI_ACTOR);
    expect(key.startsWith(prefix)).toBe(true);
    expect(auth.listKeys()).toMatchObject([{ id, lastUsedAt: null }]);
    expect(whoHas(key)).toMatchObject({ kind: 'key', id, role: 'operator' });
    expect(auth.listKeys()).toMatchObject([{ id, lastUsedAt: clock.now() }]);
    auth.revokeKey(id, CLI_ACTOR);
    expect(whoHas(key)).toBe('revoked');
    expect(auth.listKeys()).toEqual([]);
    expect(() => auth.revokeKey(id, CLI_ACTOR)).toThrow(/no such API key/);
    expect(whoHas(`${key}x`)).toBe('expired');
  });

  it('cannot sign out', () => {
    const { auth, withKey } = accessWorld();
    expect(refusal(() => auth.signOut(withKey('viewer'))).code).toBe('conflict');
  });
});
