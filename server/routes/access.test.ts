import { describe, expect, it } from 'vitest';
import type { Role } from '#shared/schemas/auth.ts';
import { buildTestApp, type TestAppOptions } from '../testing/build-test-app.ts';

async function world(options: TestAppOptions = {}) {
  const test = await buildTestApp(options);
  const call = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    cookie = '',
    payload?: object,
  ) => {
    const headers = { cookie, host: 'box.lan:9503', 'user-agent': 'Firefox on a phone' };
    const reply = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
    const given = reply.cookies[0];
    const body: unknown = reply.body === '' ? null : reply.json();
    return { status: reply.statusCode, body, cookie: given ? `${given.name}=${given.value}` : null };
  };
  /** A code made on a device, typed on another. */
  const ask = async (cookie: string, role: Role) => {
    const { body } = await call('POST', '/api/pairing-codes', cookie, { role });
    const { code } = JSON.parse(JSON.stringify(body));
    const asked = await call('POST', '/api/pair', '', { code, label: 'ana-phone' });
    expect(asked).toMatchObject({
      status: 202,
      cookie: null,
      body: { requestId: expect.any(String), pollAfterMs: 2000, expiresAt: expect.any(Number) },
    });
    const { requestId } = JSON.parse(JSON.stringify(asked.body));
    const { body: list } = await call('GET', '/api/pairing-requests', cookie);
    return { code, requestId, list, id: JSON.parse(JSON.stringify(list)).requests[0].id };
  };
  return { ...test, call, ask };
}

describe('pairing over HTTP', () => {
  it('gives a link and its picture, and lets in after the maker agreed', async () => {
    const { call, ask, signIn, clock } = await world();
    const admin = await signIn('admin');
    const made = await call('POST', '/api/pairing-codes', admin, { role: 'operator' });
    expect(made).toMatchObject({
      status: 200,
      body: {
        url: expect.stringMatching(/^http:\/\/box\.lan:9503\/#pair=[A-Z2-9-]+$/),
        expiresAt: clock.now() + 600_000,
        qrSvg: expect.stringMatching(/^<svg /),
      },
    });
    const { requestId, list, id } = await ask(admin, 'operator');
    expect(list).toMatchObject({
      requests: [
        { label: 'ana-phone', address: '127.0.0.1', userAgent: 'Firefox on a phone', role: 'operator' },
      ],
    });
    expect(JSON.stringify(list)).not.toContain(requestId);
    expect(await call('POST', '/api/pair/poll', '', { requestId })).toMatchObject({
      status: 202,
      cookie: null,
    });
    expect(await call('POST', `/api/pairing-requests/${id}`, admin, { decision: 'allow' })).toMatchObject({
      status: 204,
    });
    const admitted = await call('POST', '/api/pair/poll', '', { requestId });
    expect(admitted).toMatchObject({
      status: 200,
      body: { device: { label: 'ana-phone', role: 'operator' } },
    });
    expect(await call('GET', '/api/info', admitted.cookie ?? '')).toMatchObject({
      body: { role: 'operator', device: { label: 'ana-phone' } },
    });
    expect(await call('GET', '/api/devices', admin)).toMatchObject({
      body: {
        devices: [
          { role: 'admin', current: true },
          { label: 'ana-phone', current: false },
        ],
      },
    });
  });

  it('answers refusals with their status', async () => {
    const { call, ask, signIn, clock } = await world();
    const admin = await signIn('admin');
    const { requestId, id, code } = await ask(admin, 'viewer');
    await call('POST', `/api/pairing-requests/${id}`, admin, { decision: 'refuse' });
    expect(await call('POST', '/api/pair/poll', '', { requestId })).toMatchObject({
      status: 403,
      body: { error: { code: 'refused' } },
    });
    expect(await call('POST', '/api/pair', '', { code, label: 'x' })).toMatchObject({
      status: 410,
      body: { error: { code: 'code_used' } },
    });
    const late = await ask(admin, 'viewer');
    clock.jump(600_000);
    expect(await call('POST', '/api/pair/poll', '', { requestId: late.requestId })).toMatchObject({
      status: 410,
    });
    expect(await call('POST', '/api/pairing-codes', await signIn('viewer'), { role: 'admin' })).toMatchObject(
      {
        status: 403,
      },
    );
    expect(await call('POST', '/api/pairing-codes', admin, { role: 'king' })).toMatchObject({ status: 400 });
    expect(await call('POST', `/api/pairing-requests/${id}`, admin, { decision: 'maybe' })).toMatchObject({
      status: 400,
    });
  });

  it('points at the public address where there is one', async () => {
    const { call, signIn } = await world({ publicUrl: 'https://drover.example.org' });
    const made = await call('POST', '/api/pairing-codes', await signIn('viewer'), { role: 'viewer' });
    expect(made.body).toMatchObject({
      url: expect.stringMatching(/^https:\/\/drover\.example\.org\/#pair=/),
    });
  });
});

describe('devices over HTTP', () => {
  it('are renamed, given a role that holds at the next request, and revoked', async () => {
    const { call, signIn } = await world();
    const admin = await signIn('admin');
    const operator = await signIn('operator');
    const id = JSON.parse(JSON.stringify((await call('GET', '/api/info', operator)).body)).device.id;
    expect(await call('PATCH', `/api/devices/${id}`, operator, { label: 'desk' })).toMatchObject({
      status: 200,
      body: { id, label: 'desk', role: 'operator', current: true },
    });
    expect(await call('PATCH', `/api/devices/${id}`, operator, { role: 'admin' })).toMatchObject({
      status: 403,
    });
    expect(await call('PATCH', `/api/devices/${id}`, operator, {})).toMatchObject({ status: 400 });
    expect(await call('PATCH', `/api/devices/${id}`, admin, { role: 'viewer' })).toMatchObject({
      status: 200,
    });
    expect((await call('GET', '/api/info', operator)).body).toMatchObject({ role: 'viewer' });
    expect(await call('DELETE', `/api/devices/${id}`, admin)).toMatchObject({ status: 204 });
    expect(await call('GET', '/api/devices', operator)).toMatchObject({ status: 401 });
    expect(await call('DELETE', `/api/devices/${id}`, admin)).toMatchObject({ status: 404 });
  });

  it('keep their last admin', async () => {
    const { call, signIn } = await world();
    const admin = await signIn('admin');
    const { body } = await call('GET', '/api/info', admin);
    const { id } = JSON.parse(JSON.stringify(body)).device;
    expect(await call('DELETE', `/api/devices/${id}`, admin)).toMatchObject({
      status: 409,
      body: { error: { code: 'last_admin' } },
    });
  });
});
