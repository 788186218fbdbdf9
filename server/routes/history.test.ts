import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import { buildTestApp } from '../testing/build-test-app.ts';

describe('a segment', () => {
  it('is sent as it is stored, to be kept for ever by who may read it', async () => {
    const { app, signIn, world } = await buildTestApp();
    const stored = gzipSync('rows of an hour that is over'.repeat(500));
    const hash = 'a'.repeat(64);
    world.segments.set(hash, stored);
    const cookie = await signIn('viewer');
    const reply = await app.inject({
      url: `/api/segments/${hash}`,
      headers: { cookie, 'accept-encoding': 'gzip, br' },
    });
    expect(reply.statusCode).toBe(200);
    expect(reply.rawPayload.equals(stored)).toBe(true);
    expect(reply.headers).not.toHaveProperty('content-encoding');
    expect(reply.headers).toMatchObject({
      'cache-control': 'private, max-age=31536000, immutable',
      'content-type': 'application/octet-stream',
      etag: `"${hash}"`,
    });
    const missing = await app.inject({ url: `/api/segments/${'b'.repeat(64)}`, headers: { cookie } });
    expect(missing.statusCode).toBe(404);
    expect(missing.headers['cache-control']).toBe('no-store');
  });
});

describe('activity', () => {
  it('reaches the query as its contract says, defaults filled in', async () => {
    const { app, signIn, world } = await buildTestApp();
    const cookie = await signIn('viewer');
    const asked: unknown[] = [];
    world.activity = (query) => {
      asked.push(query);
      return Promise.resolve({ rows: [], nextCursor: 'next' });
    };
    const reply = await app.inject({
      url: '/api/activity?statusClass=5xx&from=1&limit=500&modelId=a%2Fb%3Ac',
      headers: { cookie },
    });
    expect(reply.json()).toEqual({ rows: [], nextCursor: 'next' });
    await app.inject({ url: '/api/activity', headers: { cookie } });
    expect(asked).toEqual([{ statusClass: '5xx', from: 1, limit: 500, modelId: ['a/b:c'] }, { limit: 100 }]);
  });

  it('takes one host, model and source or several, and a switch for what failed', async () => {
    const { app, signIn, world } = await buildTestApp();
    const headers = { cookie: await signIn('viewer') };
    const asked: unknown[] = [];
    world.activity = (query) => {
      asked.push(query);
      return Promise.resolve({ rows: [], nextCursor: null });
    };
    await app.inject({ url: '/api/activity?hostId=a&hostId=b&source=&failed=true', headers });
    expect(asked).toEqual([{ hostId: ['a', 'b'], source: [''], failed: true, limit: 100 }]);
    for (const bad of ['failed=yes', 'hostId=a&hostId=B!', 'hostId=']) {
      expect((await app.inject({ url: `/api/activity?${bad}`, headers })).statusCode).toBe(400);
    }
  });

  it('passes on what the query refuses', async () => {
    const { app, signIn, world } = await buildTestApp();
    const headers = { cookie: await signIn('viewer') };
    world.activity = () => Promise.reject(new AppError('invalid_cursor', 'This cursor is not one of ours.'));
    expect((await app.inject({ url: '/api/activity?cursor=x', headers })).statusCode).toBe(400);
    world.activity = () => Promise.reject(new AppError('timeout', 'The search took too long; narrow it.'));
    expect((await app.inject({ url: '/api/activity?q=x', headers })).statusCode).toBe(504);
  });
});
