import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { hostTestResult } from '#shared/schemas/host-input.ts';
import { createLlamaSwapClient } from '../adapters/llama-swap-client.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { startRecordedHost, startTestHost } from '../testing/recorded-host.ts';
import { createHostTester } from './host-test.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

const tester = createHostTester({
  clock: systemClock,
  connect: ({ url, key }) => createLlamaSwapClient({ url, key, clock: systemClock }),
  isOwnAddress: (url) => url === 'http://127.0.0.1:9503',
  instance: 'this-process',
});

async function testHost(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  key: string | null = null,
) {
  const host = await startTestHost(handle);
  cleanUps.push(() => host.close());
  const result = await tester.test({ url: host.url, key });
  hostTestResult.parse(result);
  return { result, host };
}

function reply(response: ServerResponse, status: number, body = '', type = 'application/json'): void {
  response.writeHead(status, { 'content-type': type });
  response.end(body);
}

describe('ok', () => {
  test.each([
    ['v150', 'llama-swap, 6 models.', null],
    ['v217', 'llama-swap v217, 7 models, 2 GPUs.', ['NVIDIA GeForce RTX 3090', 'NVIDIA GB10']],
    ['v250', 'llama-swap v250, 7 models, 2 GPUs.', ['NVIDIA GeForce RTX 3090', 'NVIDIA GB10']],
    ['main', 'llama-swap main, 7 models, 2 GPUs.', ['NVIDIA GeForce RTX 3090', 'NVIDIA GB10']],
  ])('a recorded %s', async (version, detail, gpus) => {
    const host = await startRecordedHost(version);
    cleanUps.push(() => host.close());
    const result = await tester.test({ url: host.url, key: null });
    expect(result).toMatchObject({ verdict: 'ok', detail });
    expect(result.gpus ?? null).toEqual(gpus);
    expect(result.models?.slice(0, 2)).toEqual(['coder', 'hidden']);
    expect(Object.keys(result.timingsMs ?? {})).toEqual(['events', 'models', 'probes']);
    expect(host.requests[0]).toBe('/api/events');
    expect(host.requests.some((path) => /upstream|props|load/.test(path))).toBe(false);
    hostTestResult.parse(result);
  });

  test('awake behind a wake-on-LAN proxy: its own status, and nothing that would wake a host', async () => {
    const { result, host } = await testHost((request, response) => {
      if (request.url === '/status')
        return reply(response, 200, 'status: ready\nfailures: 0\n', 'text/plain');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data:{"type":"modelStatus","data":"[{\\"id\\":\\"m\\",\\"state\\":\\"ready\\"}]"}\n\n');
    });
    expect(result).toMatchObject({
      verdict: 'ok',
      detail: 'llama-swap behind a wake-on-LAN proxy, 1 model.',
    });
    expect(result.version).toBeUndefined();
    expect(host.requests).toEqual(['/api/events', '/status']);
  });
});

describe('not ok', () => {
  test('asleep: nothing but the event stream is asked for', async () => {
    const { result, host } = await testHost((_, response) => {
      response.writeHead(204);
      response.end();
    });
    expect(result).toMatchObject({
      verdict: 'asleep',
      detail: 'A wake-on-LAN proxy; its host sleeps and will not be woken.',
    });
    expect(host.requests).toEqual(['/api/events']);
  });

  test('unauthorized, with a key and without one', async () => {
    const refuse = (_: IncomingMessage, response: ServerResponse) =>
      reply(response, 401, '{"error":"unauthorized"}');
    expect((await testHost(refuse, 'sk-wrong')).result).toMatchObject({
      verdict: 'unauthorized',
      detail: 'The host answered, but refused this key.',
    });
    expect((await testHost(refuse)).result).toMatchObject({
      verdict: 'unauthorized',
      detail: 'The host answered, but wants a key.',
    });
  });

  test('unreachable: refused, and a name that does not exist', async () => {
    const host = await startTestHost(() => {});
    await host.close();
    const { host: address } = new URL(host.url);
    expect(await tester.test({ url: host.url, key: null })).toMatchObject({
      verdict: 'unreachable',
      detail: `${address} refuses the connection. Does it listen beyond localhost?`,
    });
    expect(await tester.test({ url: 'http://drover-test.invalid', key: null })).toMatchObject({
      verdict: 'unreachable',
      detail: expect.stringContaining('No answer from drover-test.invalid: '),
    });
  });

  test('tls: https to a port that speaks plain HTTP', async () => {
    const host = await startTestHost(() => {});
    cleanUps.push(() => host.close());
    const result = await tester.test({ url: host.url.replace('http:', 'https:'), key: null });
    expect(result).toMatchObject({
      verdict: 'tls',
      detail: 'This port does not speak TLS; try http://.',
    });
  });

  test('not llama-swap: HTML, Ollama, a redirect', async () => {
    const html = await testHost((_, response) => reply(response, 200, '<html></html>', 'text/html'));
    expect(html.result).toMatchObject({
      verdict: 'not_llama_swap',
      detail: 'Something answers, but not llama-swap: it answers with text/html instead of events.',
    });
    const ollama = await testHost((request, response) => {
      if (request.url === '/api/version') return reply(response, 200, '{"version":"0.12.3"}');
      reply(response, 404, '404 page not found', 'text/plain');
    });
    expect(ollama.result.verdict).toBe('not_llama_swap');
    const redirect = await testHost((_, response) => {
      response.writeHead(302, { location: 'https://login.example/?rd=1' });
      response.end();
    });
    expect(redirect.result.detail).toBe(
      'Something answers, but not llama-swap: it redirects to https://login.example/.',
    );
  });

  test('too old: before there were events', async () => {
    const { result } = await testHost((request, response) => {
      if (request.url === '/running') return reply(response, 200, '{"running":[]}');
      reply(response, 404);
    });
    expect(result).toMatchObject({
      verdict: 'too_old',
      detail: 'llama-swap older than v140; Drover needs v140.',
    });
  });

  test('self: by its address without a request, by its instance, and not another Drover', async () => {
    expect(await tester.test({ url: 'http://127.0.0.1:9503', key: null })).toEqual({
      verdict: 'self',
      detail: 'This address is Drover itself.',
    });
    const drover = (instance: string) => (request: IncomingMessage, response: ServerResponse) => {
      if (request.url !== '/api/info') return reply(response, 401, '{"error":{"code":"unauthenticated"}}');
      response.setHeader('x-drover-instance', instance);
      reply(response, 200, '{"protocol":1}');
    };
    const own = await testHost(drover('this-process'), 'sk-a');
    expect(own.result.verdict).toBe('self');
    expect(own.host.headers.at(-1)).not.toHaveProperty('authorization');
    const other = await testHost(drover('another'));
    expect(other.result).toMatchObject({
      verdict: 'not_llama_swap',
      detail: 'Something answers, but not llama-swap: another Drover.',
    });
  });
});
