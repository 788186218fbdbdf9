import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Access, RouteContract } from '#shared/http/define-route.ts';
import { routes } from '#shared/http/routes.ts';
import { roleAllows, ROLES, type Role } from '#shared/schemas/auth.ts';
import { errorBody } from '#shared/schemas/error.ts';
import type { Model } from '#shared/schemas/model.ts';
import { guardRoutes } from './plugins/auth.ts';
import { buildTestApp } from './testing/build-test-app.ts';

const contracts: readonly RouteContract[] = Object.values(routes);
const callers: readonly (Role | 'nobody')[] = ['nobody', ...ROLES];

const aModel: Model = {
  hostId: 'attic',
  modelId: 'qwen',
  name: 'qwen',
  description: '',
  state: 'ready',
  since: null,
  observedAt: 0,
  aliases: [],
  peerId: null,
  unlisted: false,
  contextLength: null,
  capabilities: [],
  failedStart: null,
};

/** An address of a contract; what its parameters name does not exist. */
function addressOf(contract: RouteContract): string {
  return contract.path.replace(':hash', '0'.repeat(64)).replace(/:[A-Za-z]+/g, 'nowhere');
}

function expectedOutcome(access: Access, caller: Role | 'nobody'): 'allowed' | 401 | 403 {
  if (access === 'public') return 'allowed';
  if (caller === 'nobody') return 401;
  return roleAllows(caller, access) ? 'allowed' : 403;
}

describe('every route of the API', () => {
  it.each(contracts.map((contract) => [`${contract.method} ${contract.path}`, contract] as const))(
    '%s is mounted',
    async (_name, contract) => {
      const { app } = await buildTestApp();
      expect(app.hasRoute({ method: contract.method, url: contract.path })).toBe(true);
    },
  );

  it('is open to exactly the roles its contract names, and refuses in the shape of all errors', async () => {
    const { app, signIn } = await buildTestApp();
    for (const caller of callers) {
      for (const contract of contracts) {
        // A device of its own each time: signing out ends the session.
        const cookie = caller === 'nobody' ? '' : await signIn(caller);
        const { method } = contract;
        const reply = await app.inject({ method, url: addressOf(contract), headers: { cookie } });
        const refused = [401, 403].includes(reply.statusCode);
        expect({
          caller,
          route: `${method} ${contract.path}`,
          outcome: refused ? reply.statusCode : 'allowed',
          errorBody: reply.statusCode < 400 || errorBody.safeParse(reply.json()).success,
        }).toEqual({
          caller,
          route: `${method} ${contract.path}`,
          outcome: expectedOutcome(contract.access, caller),
          errorBody: true,
        });
      }
    }
  });

  it('cannot be mounted under /api without saying who may call it', async () => {
    const { auth, clock } = await buildTestApp();
    const app = Fastify();
    guardRoutes(app, { authenticator: auth, clock, publicUrl: null });
    expect(() => app.get('/api/forgotten', () => 'secret')).toThrow(/declares no access/);
  });
});

describe('errors', () => {
  it('name an unknown address, and the methods of a known one', async () => {
    const { app } = await buildTestApp();
    const unknown = await app.inject({ method: 'GET', url: '/api/nothing' });
    expect(unknown.statusCode).toBe(404);
    expect(unknown.json()).toMatchObject({ error: { code: 'not_found' } });
    const wrongMethod = await app.inject({ method: 'PUT', url: '/api/hosts' });
    expect(wrongMethod.statusCode).toBe(405);
    expect(wrongMethod.headers.allow?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
    expect(wrongMethod.json()).toMatchObject({ error: { code: 'method_not_allowed' } });
  });

  it('refuse malformed, oversized, foreign and unknown input', async () => {
    const { app, signIn } = await buildTestApp();
    const cookie = await signIn('admin');
    const post = (payload: string, type = 'application/json') =>
      app.inject({
        method: 'POST',
        url: '/api/hosts',
        headers: { cookie, 'content-type': type },
        payload,
      });
    expect((await post('{"label":')).statusCode).toBe(400);
    expect((await post('{"__proto__":{"x":1},"label":"a","url":"http://a"}')).statusCode).toBe(400);
    expect((await post('label=a', 'application/x-www-form-urlencoded')).statusCode).toBe(415);
    expect((await post(JSON.stringify({ label: 'x'.repeat(300_000) }))).statusCode).toBe(413);
    expect((await post('')).statusCode).toBe(400);
    const unknownKey = await post(JSON.stringify({ label: 'a', url: 'http://a.lan', colour: 'red' }));
    expect(unknownKey.statusCode).toBe(400);
    expect(unknownKey.json()).toMatchObject({
      error: { code: 'bad_request', message: expect.stringMatching(/colour/) },
    });
    const badField = await post(JSON.stringify({ label: 'a', url: 'ftp://a' }));
    expect(badField.json()).toMatchObject({ error: { details: [{ path: 'url' }] } });
    const get = (url: string) => app.inject({ url, headers: { cookie } });
    expect((await get('/api/activity?limit=0')).statusCode).toBe(400);
    for (const query of [
      'colour=red',
      'from=',
      'to=1e3',
      'limit=501',
      'limit=2.5',
      'from=1&from=2',
      'statusClass=9xx',
    ]) {
      expect([query, (await get(`/api/activity?${query}`)).statusCode]).toEqual([query, 400]);
    }
    expect((await get('/api/hosts?colour=red')).statusCode).toBe(400);
    expect((await get('/api/segments/xyz')).statusCode).toBe(400);
    expect((await get('/api/models?hostId=Not%20An%20Id')).statusCode).toBe(400);
    expect((await get('/api/models?hostId=nowhere')).statusCode).toBe(404);
    expect((await get('/api/%E0%A4%A')).statusCode).toBe(400);
  });

  it('never tell what went wrong inside', async () => {
    const { app, signIn, world, log } = await buildTestApp();
    world.activity = () => Promise.reject(new Error('secret path /home/joe'));
    const reply = await app.inject({ url: '/api/activity', headers: { cookie: await signIn('viewer') } });
    expect(reply.statusCode).toBe(500);
    expect(reply.body).not.toContain('joe');
    expect(JSON.stringify(log.lines)).toContain('secret path /home/joe');
  });

  it('name the remedy when the database cannot be written', async () => {
    const { app, signIn, world } = await buildTestApp();
    world.activity = () => Promise.reject(Object.assign(new Error('full'), { code: 'SQLITE_FULL' }));
    const reply = await app.inject({ url: '/api/activity', headers: { cookie: await signIn('viewer') } });
    expect(reply.statusCode).toBe(503);
    expect(reply.json()).toMatchObject({
      error: { code: 'store_unavailable', message: expect.stringMatching(/disk space/) },
    });
  });

  it('leave out a reply that breaks its own contract', async () => {
    const { app, signIn, world } = await buildTestApp();
    world.models = [{ ...aModel, observedAt: 0.5 }];
    const reply = await app.inject({ url: '/api/models', headers: { cookie: await signIn('viewer') } });
    expect(reply.statusCode).toBe(500);
    expect(reply.json()).toMatchObject({ error: { code: 'internal' } });
  });
});
