import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../errors.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { silentLog } from '../testing/silent-log.ts';
import { temporaryStore } from '../testing/temporary-store.ts';
import { AuthService } from './auth-service.ts';

const DAY_MS = 86_400_000;

function world() {
  const clock = new ManualClock();
  const store = temporaryStore();
  const log = silentLog();
  const auth = new AuthService({ store: store.access, clock, log });
  const pair = (code: string, address = '10.0.0.1') => auth.pair({ code, label: 'phone' }, address);
  const whoIs = (session: string) => auth.authenticate({ session, key: null }, clock.now());
  const whoHas = (key: string) => auth.authenticate({ session: null, key }, clock.now());
  /** The code of the error that `act` throws. */
  const refusal = (act: () => unknown): AppError => {
    try {
      act();
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
    throw new Error('not refused');
  };
  return { clock, store, log, auth, pair, whoIs, whoHas, refusal };
}

describe('pairing', () => {
  it('makes the first device an admin with the code given, once, compared exactly', () => {
    const { auth, pair, whoIs, refusal } = world();
    expect(auth.firstStartCode('MyCode-42')).toBe('MyCode-42');
    expect(refusal(() => pair('mycode-42')).code).toBe('bad_code');
    expect(refusal(() => pair(' MyCode-42')).code).toBe('bad_code');
    const { device, session } = pair('MyCode-42');
    expect(device).toMatchObject({ label: 'phone', role: 'admin' });
    expect(whoIs(session)).toMatchObject({ kind: 'device', id: device.id, role: 'admin' });
    expect(refusal(() => pair('MyCode-42')).code).toBe('code_used');
  });

  it('ignores the first code once a device exists, at this start and at later ones', () => {
    const { auth, pair, refusal } = world();
    auth.firstStartCode('MyCode-42');
    pair(auth.issueCode('viewer').code);
    expect(refusal(() => pair('MyCode-42')).code).toBe('bad_code');
    expect(auth.firstStartCode('Another-1')).toBeNull();
    expect(refusal(() => pair('Another-1')).code).toBe('bad_code');
  });

  it('forgets the random first code of the start before', () => {
    const { auth, pair, refusal } = world();
    const first = auth.firstStartCode(null) ?? '';
    const second = auth.firstStartCode(null) ?? '';
    expect(second).not.toBe(first);
    expect(refusal(() => pair(first)).code).toBe('bad_code');
    expect(pair(second).device.role).toBe('admin');
  });

  it('lets a code of the command line run out', () => {
    const { auth, pair, clock, refusal } = world();
    const { code, expiresAt } = auth.issueCode('admin');
    clock.advance(expiresAt - clock.now());
    expect(refusal(() => pair(code)).code).toBe('gone');
  });

  it('makes an address wait after ten wrong codes, the right code included, and no other address', () => {
    const { auth, pair, clock, refusal } = world();
    const { code } = auth.issueCode('viewer');
    for (let wrong = 0; wrong < 10; wrong += 1)
      expect(refusal(() => pair('WRONG-CODE')).code).toBe('bad_code');
    const limited = refusal(() => pair(code));
    expect(limited.code).toBe('rate_limited');
    expect(limited.retryAfterMs).toBe(60_000);
    const other = auth.issueCode('viewer');
    expect(pair(other.code, '10.0.0.2').device.role).toBe('viewer');
    clock.advance(60_000);
    expect(pair(code).device.role).toBe('viewer');
  });

  it('writes neither codes nor sessions nor keys to the log or the database', () => {
    const { auth, pair, store, log } = world();
    const { code } = auth.issueCode('admin');
    const { session } = pair(code);
    const { key } = auth.createKey({ label: 'ci', role: 'viewer' });
    const tables = ['device', 'api_key', 'pairing_code'].map((table) =>
      store.connection.statement(`SELECT * FROM ${table}`).all(),
    );
    const kept = JSON.stringify([tables, log.lines]);
    for (const secret of [code, session, key]) expect(kept).not.toContain(secret);
  });
});

describe('sessions', () => {
  it('end after 90 days unused and after a year however used', () => {
    const { auth, pair, whoIs, clock } = world();
    const start = clock.now();
    const idle = pair(auth.issueCode('viewer').code).session;
    const busy = pair(auth.issueCode('viewer').code).session;
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
    const { auth, whoIs, clock } = world();
    expect(whoIs('made-up')).toBe('expired');
    expect(auth.authenticate({ session: null, key: null }, clock.now())).toBe('missing');
  });

  it('outlive a store that takes no writes', () => {
    const { auth, pair, whoIs, clock, store } = world();
    const { session } = pair(auth.issueCode('viewer').code);
    clock.advance(DAY_MS);
    store.connection.pragma('query_only = ON');
    expect(whoIs(session)).toMatchObject({ role: 'viewer' });
    store.connection.pragma('query_only = OFF');
  });

  it('close their sockets when signed out, revoked elsewhere, or run out', () => {
    const { auth, pair, whoIs, clock, store } = world();
    const third = pair(auth.issueCode('viewer').code);
    clock.jump(90 * DAY_MS - 2_000);
    const [first, second] = ['viewer', 'viewer'].map(() => pair(auth.issueCode('viewer').code));
    const ended = vi.fn<(id: string, why: string) => void>();
    const unsubscribe = auth.onEnded(ended);
    auth.start();
    auth.signOut({ kind: 'device', id: first?.device.id ?? '', label: 'phone', role: 'viewer' });
    expect(ended.mock.calls).toEqual([[first?.device.id, 'revoked']]);
    expect(whoIs(first?.session ?? '')).toBe('revoked');
    // Another process writes the same table.
    store.access.revokeDevice(second?.device.id ?? '', clock.now());
    clock.advance(1_000);
    expect(ended.mock.calls.at(-1)).toEqual([second?.device.id, 'revoked']);
    clock.advance(1_000);
    expect(ended.mock.calls.at(-1)).toEqual([third.device.id, 'expired']);
    expect(ended).toHaveBeenCalledTimes(3);
    unsubscribe();
    auth.stop();
  });
});

describe('API keys', () => {
  it('work until revoked, and their last use is shown', () => {
    const { auth, whoHas, clock } = world();
    const { id, key, prefix } = auth.createKey({ label: 'ci', role: 'operator' });
    expect(key.startsWith(prefix)).toBe(true);
    expect(auth.listKeys()).toMatchObject([{ id, lastUsedAt: null }]);
    expect(whoHas(key)).toMatchObject({ kind: 'key', id, role: 'operator' });
    expect(auth.listKeys()).toMatchObject([{ id, lastUsedAt: clock.now() }]);
    auth.revokeKey(id);
    expect(whoHas(key)).toBe('revoked');
    expect(auth.listKeys()).toEqual([]);
    expect(() => auth.revokeKey(id)).toThrow(/no such API key/);
    expect(whoHas(`${key}x`)).toBe('expired');
  });

  it('cannot sign out', () => {
    const { auth, refusal } = world();
    const { id } = auth.createKey({ label: 'ci', role: 'viewer' });
    expect(refusal(() => auth.signOut({ kind: 'key', id, label: 'ci', role: 'viewer' })).code).toBe(
      'conflict',
    );
  });
});
