import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { defineRoute } from '#shared/http/define-route.ts';
import { apiUrl, callApi } from './call-api.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A server that answers every request with `status` and `text`; returns its base URL. */
async function answering(status: number, text: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' }).end(text);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  stops.push(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${(address satisfies AddressInfo).port}`;
}

const routeAt = (base: string) =>
  defineRoute({ method: 'GET', path: base, access: 'public', replies: { 200: z.object({ n: z.number() }) } });

test('parameters and queries are encoded, unset ones left out', () => {
  expect(apiUrl('/api/hosts/:hostId', { hostId: 'a b/c' }, { q: 'x&y', from: 3, to: undefined })).toBe(
    '/api/hosts/a%20b%2Fc?q=x%26y&from=3',
  );
});

test('a reply is parsed by the contract', async () => {
  const base = await answering(200, '{"n":4,"extra":true}');
  expect(await callApi(routeAt(base))).toEqual({ ok: true, status: 200, value: { n: 4 } });
});

test('a reply of another shape is a value, not an exception', async () => {
  const base = await answering(200, '{"n":"four"}');
  expect(await callApi(routeAt(base))).toMatchObject({ ok: false, status: 200, code: 'unreadable' });
});

test('an error body keeps its code, message and waiting time', async () => {
  const base = await answering(429, '{"error":{"code":"rate_limited","message":"Too many tries."}}');
  expect(await callApi(routeAt(base))).toEqual({
    ok: false,
    status: 429,
    code: 'rate_limited',
    message: 'Too many tries.',
    retryAfterMs: 7000,
    details: [],
  });
});

test('an HTML error page of a proxy is an unreadable error with its status', async () => {
  const base = await answering(502, '<html>bad gateway</html>');
  expect(await callApi(routeAt(base))).toMatchObject({ ok: false, status: 502, code: 'unreadable' });
});

test('no answer is a network error', async () => {
  const base = await answering(200, '{}');
  for (const stop of stops.splice(0)) stop();
  expect(await callApi(routeAt(base))).toMatchObject({ ok: false, status: null, code: 'network' });
});
