import { expect, it } from 'vitest';
import { buildTestApp } from './testing/build-test-app.ts';

it('refuses with the remedy while the disk is full, loses nothing acknowledged, and recovers by itself', async () => {
  const { app, signIn, truth, hosts, clock } = await buildTestApp();
  const headers = { cookie: await signIn('admin') };
  const add = (label: string) =>
    app.inject({
      method: 'POST',
      url: '/api/hosts',
      headers,
      payload: { label, url: 'http://attic.lan', key: `key of ${label}`.replaceAll(' ', '-') },
    });

  // The disk is as full as the database is large; what has room in its pages still goes in.
  const { connection } = truth.store;
  connection.pragma(`max_page_count = ${Number(connection.pragma('page_count'))}`);
  const acknowledged: string[] = [];
  let reply = await add('host 0');
  for (let count = 1; reply.statusCode === 201 && count < 500; count += 1) {
    acknowledged.push(`host-${count - 1}`);
    reply = await add(`host ${count}`);
  }
  expect(reply.statusCode).toBe(503);
  expect(reply.json()).toMatchObject({
    error: { code: 'store_unavailable', message: expect.stringContaining('Free some space') },
  });
  expect(truth.docHost.health()).toMatchObject([{ name: 'store', state: 'fail' }]);
  expect(truth.secrets.hostKey(`host-${acknowledged.length}`)).toBeNull();
  // Who is signed in stays signed in, and sees what was acknowledged.
  const listed = await app.inject({ url: '/api/hosts', headers });
  expect(listed.statusCode).toBe(200);
  expect(hosts.configs().map((host) => host.id)).toEqual(acknowledged);

  // The limit is one of the connection; the next try opens a new one, as after space was freed.
  clock.advance(60_000);
  expect(truth.docHost.health()).toMatchObject([{ name: 'store', state: 'ok' }]);
  expect(hosts.configs().map((host) => host.id)).toEqual(acknowledged);
  expect((await add('after')).statusCode).toBe(201);
});
