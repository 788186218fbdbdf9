import { describe, expect, it } from 'vitest';
import { CLI_ACTOR } from '../domain/audit-log.ts';
import { buildTestApp, DOCTOR_KEY, type TestAppOptions } from '../testing/build-test-app.ts';
import { STRANGER_REQUESTS_PER_MINUTE } from './stranger-limit.ts';

async function world(options: TestAppOptions = {}) {
  const test = await buildTestApp(options);
  const cookie = await test.signIn('admin');
  const key = test.auth.createKey({ label: 'ci', role: 'admin' }, CLI_ACTOR).key;
  /** Status of a state-changing request that is fine but for where it comes from. */
  const post = async (headers: Record<string, string>) => {
    const reply = await test.app.inject({
      method: 'POST',
      url: '/api/keys',
      headers: { host: '127.0.0.1:9503', ...headers },
      payload: { label: 'another', role: 'viewer' },
    });
    return reply.statusCode;
  };
  return { ...test, cookie, key, post };
}

describe('Origin', () => {
  it('may be absent, or this address, and nothing else', async () => {
    const { cookie, post } = await world();
    expect(await post({ cookie })).toBe(201);
    expect(await post({ cookie, origin: 'http://127.0.0.1:9503' })).toBe(201);
    for (const origin of [
      'https://127.0.0.1:9503',
      'http://127.0.0.1:8080',
      'http://evil.example',
      'http://127.0.0.1:9503.evil.example',
      'null',
      'garbage',
      '',
    ]) {
      expect([origin, await post({ cookie, origin })]).toEqual([origin, 403]);
    }
  });

  it('is checked when something is only read, too, but not for the app itself', async () => {
    const { app, cookie, key } = await world();
    const status = async (url: string, headers: Record<string, string>) => {
      const reply = await app.inject({ url, headers: { host: '127.0.0.1:9503', ...headers } });
      return reply.statusCode;
    };
    const evil = { origin: 'http://evil.example' };
    expect(await status('/api/hosts', { cookie, ...evil })).toBe(403);
    expect(await status('/api/info', evil)).toBe(403);
    expect(await status('/api/hosts', { authorization: `Bearer ${key}`, ...evil })).toBe(200);
    expect(await status('/api/hosts', { cookie, origin: 'http://127.0.0.1:9503' })).toBe(200);
    expect(await status('/manifest.webmanifest', evil)).not.toBe(403);
  });

  it('may be the public address, behind a proxy that forwards nothing', async () => {
    const { cookie, post } = await world({ publicUrl: 'https://drover.example.org' });
    expect(await post({ cookie, origin: 'https://drover.example.org' })).toBe(201);
    expect(await post({ cookie, origin: 'http://drover.example.org' })).toBe(403);
  });

  it('that is refused names the setting which a proxy in front needs', async () => {
    const { app } = await world();
    const reply = await app.inject({
      method: 'POST',
      url: '/api/pair',
      headers: { host: 'box.example.ts.net', origin: 'https://box.example.ts.net' },
      payload: { code: 'AAAAAA', label: 'phone' },
    });
    expect(reply.json()).toMatchObject({
      error: {
        code: 'bad_origin',
        message: expect.stringContaining('DROVER_PUBLIC_URL=https://box.example.ts.net.'),
      },
    });
  });

  it('is compared with forwarded scheme and host only when the proxy is trusted', async () => {
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'fleet.example.org' };
    const origin = 'https://fleet.example.org';
    const trusting = await world({ trustProxy: true });
    expect(await trusting.post({ cookie: trusting.cookie, origin, ...forwarded })).toBe(201);
    const wary = await world();
    expect(await wary.post({ cookie: wary.cookie, origin, ...forwarded })).toBe(403);
  });

  it('is not looked at when a key is presented, and then the cookie is not either', async () => {
    const { cookie, key, post } = await world();
    const origin = 'http://evil.example';
    expect(await post({ origin, authorization: `Bearer ${key}` })).toBe(201);
    expect(await post({ origin, cookie, authorization: 'Bearer drv_wrong' })).toBe(401);
    expect(await post({ origin, cookie, authorization: 'Basic am9lOnB3' })).toBe(403);
  });

  it('is checked on upgrades too, where a key may stand in the address', async () => {
    const { app, cookie, key } = await world();
    const upgrade = (url: string, headers: Record<string, string>) =>
      app.inject({
        url,
        headers: { host: 'a.lan', connection: 'upgrade', upgrade: 'websocket', ...headers },
      });
    const origin = 'http://evil.example';
    expect((await upgrade('/api/hosts', { cookie, origin })).statusCode).toBe(403);
    expect((await upgrade(`/api/hosts?key=${key}`, { origin })).statusCode).not.toBe(403);
    expect((await upgrade('/api/hosts?key=drv_wrong', { cookie, origin })).statusCode).toBe(401);
  });
});

describe('keys', () => {
  it('in the address open nothing but sockets', async () => {
    const { app, key } = await world();
    expect((await app.inject({ url: `/api/hosts?key=${key}` })).statusCode).toBe(401);
    const bearer = { authorization: `bearer ${key}` };
    expect((await app.inject({ url: '/api/hosts', headers: bearer })).statusCode).toBe(200);
  });

  it('never reach the log', async () => {
    const { app, key, log } = await world();
    await app.inject({ url: `/api/hosts?a=1&key=${key}` });
    await app.inject({ url: `/api/hosts?k%65y=${key}` });
    await app.inject({ url: `/api/hosts?other=${key}` });
    await app.inject({ url: '/api/hosts', headers: { authorization: `Bearer ${key}x` } });
    const text = JSON.stringify(log.lines);
    expect(text).toContain('key=[redacted]');
    expect(text).not.toContain(key);
  });
});

describe('the session cookie', () => {
  async function pairedCookie(options: TestAppOptions, headers: Record<string, string>) {
    const { app, pairing } = await buildTestApp(options);
    const reply = await app.inject({
      method: 'POST',
      url: '/api/pair',
      headers: { host: 'drover.example.org', ...headers },
      payload: { code: pairing.issueCode('viewer').code, label: 'phone' },
    });
    expect(reply.statusCode).toBe(200);
    return reply.cookies[0];
  }

  it('is out of reach of scripts and of other sites, and Secure where https is', async () => {
    const plain = await pairedCookie({}, {});
    expect(plain).toMatchObject({ name: 'drover_session', httpOnly: true, sameSite: 'Strict', path: '/' });
    expect(plain?.secure).not.toBe(true);
    const publicUrl = 'https://drover.example.org';
    expect(await pairedCookie({ publicUrl }, { origin: publicUrl })).toMatchObject({ secure: true });
    expect(await pairedCookie({ trustProxy: true }, { 'x-forwarded-proto': 'https' })).toMatchObject({
      secure: true,
    });
    expect((await pairedCookie({}, { 'x-forwarded-proto': 'https' }))?.secure).not.toBe(true);
  });

  it('opens nothing after signing out', async () => {
    const { app, cookie } = await world();
    const out = await app.inject({ method: 'POST', url: '/api/sign-out', headers: { cookie } });
    expect(out.statusCode).toBe(204);
    expect(out.cookies[0]).toMatchObject({ name: 'drover_session', value: '' });
    const after = await app.inject({ url: '/api/hosts', headers: { cookie } });
    expect(after.statusCode).toBe(401);
    expect(after.json()).toMatchObject({
      error: { code: 'unauthenticated', message: expect.stringMatching(/revoked/) },
    });
  });
});

describe('public routes', () => {
  it('say who asks, when they can', async () => {
    const { app, cookie } = await world();
    const anonymous = await app.inject({ url: '/api/info' });
    expect(anonymous.json()).toMatchObject({
      syncPath: '/sync',
      documents: { fleet: 'fleet@g1', tail: 'tail@g1' },
    });
    expect(anonymous.json()).not.toHaveProperty('role');
    expect(anonymous.headers['cache-control']).toBe('no-store');
    const known = await app.inject({ url: '/api/info', headers: { cookie } });
    expect(known.json()).toMatchObject({ role: 'admin', device: { label: 'a admin' } });
    const wrong = await app.inject({ url: '/api/info', headers: { cookie: 'drover_session=made-up' } });
    expect(wrong.statusCode).toBe(200);
    expect(wrong.json()).not.toHaveProperty('role');
  });

  it('tell strangers the status alone', async () => {
    const { app, cookie, world: state } = await world();
    expect((await app.inject({ url: '/api/health' })).json()).toEqual({ status: 'ok' });
    state.checks = [{ name: 'disk', state: 'warn', detail: 'little space', remediation: 'free some' }];
    expect((await app.inject({ url: '/api/health' })).json()).toEqual({ status: 'degraded' });
    state.checks = [{ name: 'store', state: 'fail', detail: 'disk full', remediation: 'free some' }];
    expect((await app.inject({ url: '/api/health' })).json()).toEqual({ status: 'failed' });
    expect((await app.inject({ url: '/api/health', headers: { cookie } })).json()).toEqual({
      status: 'failed',
      checkedAt: expect.any(Number),
      checks: state.checks,
    });
  });

  it('tell whoever has the doctor’s key the checks, and nothing else', async () => {
    const { app } = await world();
    const ask = (url: string, key: string) =>
      app.inject({ url, headers: { authorization: `Bearer ${key}` } });
    expect((await ask('/api/health', DOCTOR_KEY)).json()).toHaveProperty('checks');
    expect((await ask('/api/health', `${DOCTOR_KEY}x`)).json()).toEqual({ status: 'ok' });
    expect((await ask('/api/hosts', DOCTOR_KEY)).statusCode).toBe(401);
  });

  it('limit wrong pairing codes by address', async () => {
    const { app } = await world();
    const pair = (code: string) =>
      app.inject({ method: 'POST', url: '/api/pair', payload: { code, label: 'phone' } });
    for (let wrong = 0; wrong < 10; wrong += 1) expect((await pair('x')).statusCode).toBe(403);
    const limited = await pair('AAAAA-AAAAA');
    expect(limited.statusCode).toBe(429);
    expect(limited.json()).toMatchObject({ error: { code: 'rate_limited', retryAfterMs: 60_000 } });
    expect(limited.headers['retry-after']).toBe('60');
  });

  it('limit strangers by address, and nobody who is signed in', async () => {
    const { app, cookie } = await world();
    const stranger = { url: '/api/health', remoteAddress: '192.0.2.1' };
    const statuses = new Set<number>();
    for (let count = 0; count < STRANGER_REQUESTS_PER_MINUTE; count += 1) {
      statuses.add((await app.inject(stranger)).statusCode);
    }
    expect([...statuses]).toEqual([200]);
    const limited = await app.inject(stranger);
    expect(limited.statusCode).toBe(429);
    expect(limited.json()).toMatchObject({ error: { code: 'rate_limited' } });
    expect((await app.inject({ ...stranger, headers: { cookie } })).statusCode).toBe(200);
    expect((await app.inject({ ...stranger, remoteAddress: '192.0.2.7' })).statusCode).toBe(200);
  });
});
