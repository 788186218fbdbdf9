import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import type { UpstreamFailure } from '../domain/ports.ts';
import { startTestHost } from '../testing/recorded-host.ts';
import { createLogStreamClient } from './llama-swap-log-streams.ts';
import { systemClock } from './system-clock.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

const TEXT = 'main: lädt ünïcode ✓ \u001b[31mrot\u001b[0m\n'.repeat(20);

/** Reads a stream of a host to its end. */
async function read(
  open: 'host' | 'model',
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ text: string; sources: ReadonlySet<string>; failure: UpstreamFailure | null }> {
  const host = await startTestHost(handle);
  const client = createLogStreamClient({ url: host.url, key: () => null, clock: systemClock });
  cleanUps.push(
    () => host.close(),
    () => client.close(),
  );
  let text = '';
  const sources = new Set<string>();
  const failure = await new Promise<UpstreamFailure | null>((resolve) => {
    const listener = {
      onText: (source: string, piece: string) => {
        sources.add(source);
        text += piece;
      },
      onDropped: () => undefined,
      onClosed: resolve,
    };
    if (open === 'host') client.openHostLogs(listener, new AbortController().signal);
    else client.openModelLog('org/chat [1m]', listener, new AbortController().signal);
  });
  return { text, sources, failure };
}

/** Writes bytes in pieces of a size, each a packet of its own as far as that can be had. */
async function writeCut(response: ServerResponse, text: string, size: number): Promise<void> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size));
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

test.each([1, 2, 3, 7, 4096])('the log of a model is the same text in pieces of %i bytes', async (size) => {
  let path = '';
  const { text, sources, failure } = await read('model', (request, response) => {
    path = request.url ?? '';
    response.writeHead(200, { 'content-type': 'text/plain' });
    void writeCut(response, TEXT, size);
  });
  expect(path).toBe('/logs/stream/org/chat%20%5B1m%5D');
  expect([text, [...sources], failure]).toEqual([TEXT, ['org/chat [1m]'], null]);
});

test.each([1, 5, 4096])('the log stream of a host is read in pieces of %i bytes', async (size) => {
  const frame = (source: string, data: string): string =>
    `event:message\ndata:${JSON.stringify({ type: 'logData', data: JSON.stringify({ source, data }) })}\n\n`;
  let path = '';
  const { text, sources } = await read('host', (request, response) => {
    path = request.url ?? '';
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    void writeCut(response, frame('http', 'GET /\n') + frame('upstream', 'ünïcode ✓\n'), size);
  });
  expect(path).toBe('/api/events/logs?stream=proxy&stream=upstream&stream=http');
  expect([text, [...sources]]).toEqual(['GET /\nünïcode ✓\n', ['http', 'upstream']]);
});

test.each(['host', 'model'] as const)(
  'a refusal of the log of a %s is a failure with its status',
  async (open) => {
    const { failure, text } = await read(open, (_, response) => {
      response.writeHead(400, { 'content-type': 'text/plain' });
      response.end('invalid logger');
    });
    expect([failure?.kind, text]).toEqual(['http', '']);
  },
);
