import { createServer } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { must } from '#shared/lib/assert.ts';
import { startRecordedHost, startTestHost, type TestHost } from '../testing/recorded-host.ts';
import { readEvents } from '../testing/read-events.ts';
import { readConnections } from '../testing/recordings.ts';
import { StreamRecorder } from '../testing/stream-recorder.ts';
import { createLlamaSwapClient } from './llama-swap-client.ts';
import { systemClock } from './system-clock.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

function open(url: string, key: string | null = null) {
  const client = createLlamaSwapClient({ url, key: () => key, clock: systemClock });
  const ending = new AbortController();
  const recorder = new StreamRecorder();
  client.openEvents(recorder, ending.signal);
  cleanUps.push(() => client.close());
  return { recorder, ending };
}

async function host(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<TestHost> {
  const started = await startTestHost(handle);
  cleanUps.push(() => started.close());
  return started;
}

async function failureOf(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const { recorder } = open((await host(handle)).url);
  const end = await recorder.closed;
  return end.why === 'failed' ? end.failure : end.why;
}

test.each(['v150', 'v217', 'v250'])('the recording of %s over a real socket', async (version) => {
  const recorded = await startRecordedHost(version);
  cleanUps.push(() => recorded.close());
  const [connection] = readConnections(version);
  const expected = readEvents(must(connection, version).chunks);
  const { recorder, ending } = open(recorded.url);
  await recorder.untilEvents(expected.length);
  expect(recorder.events).toEqual(expected);
  expect(recorder.byteCount).toBe(connection?.bytes.length);
  expect(Math.abs(recorder.opened?.clockOffsetMs ?? Number.NaN)).toBeLessThan(2000);
  ending.abort();
  expect(await recorder.closed).toEqual({ why: 'aborted' });
  expect(recorder.ends).toBe(1);
});

test('a line of 5 MB arrives whole, and the end of the stream comes after it', async () => {
  const data = JSON.stringify({ source: 'proxy', data: 'x'.repeat(5 * 1024 * 1024) });
  const { url } = await host((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.end(`event:message\ndata:${JSON.stringify({ type: 'logData', data })}\n\n`);
  });
  const { recorder } = open(url);
  expect(await recorder.closed).toEqual({ why: 'end' });
  expect(recorder.events.map((event) => event.type === 'log' && event.text.length)).toEqual([
    5 * 1024 * 1024,
  ]);
});

test('a host that floods is drained to the last byte while parsing is slow', async () => {
  const line = `data:${JSON.stringify({ type: 'logData', data: JSON.stringify({ source: 'upstream', data: 'y'.repeat(4000) }) })}\n\n`;
  const count = 4000;
  const { url } = await host((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let index = 0; index < count; index += 1) response.write(line);
    response.end();
  });
  const { recorder } = open(url);
  const end = await recorder.closed;
  expect(end).toEqual({ why: 'end' });
  expect(recorder.byteCount).toBe(line.length * count);
  expect(recorder.events.length + recorder.logsDropped).toBe(count);
});

test('when parsing cannot keep up the stream is closed, and its socket was read all the time', async () => {
  class SlowRecorder extends StreamRecorder {
    override onEvent(): void {
      const until = performance.now() + 60;
      while (performance.now() < until);
    }
  }
  // Messages far smaller than what one turn of the loop reads: the reader falls behind by nearly all that came, at once.
  const models = Array.from({ length: 200 }, (_, index) => ({ id: `model-${index}`, state: 'stopped' }));
  const line = `data:${JSON.stringify({ type: 'modelStatus', data: JSON.stringify(models) })}\n\n`;
  const { url } = await host((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = () => {
      while (!response.destroyed && response.write(line));
    };
    response.on('drain', write);
    write();
  });
  const recorder = new SlowRecorder();
  const client = createLlamaSwapClient({ url, key: () => null, clock: systemClock });
  cleanUps.push(() => client.close());
  client.openEvents(recorder, new AbortController().signal);
  expect(await recorder.closed).toEqual({ why: 'overload' });
  expect(recorder.byteCount).toBeGreaterThan(1024 * 1024);
});

test('the request says who asks once, and what it wants', async () => {
  const asked = await host((_, response) => {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="llama-swap"' });
    response.end();
  });
  const { recorder } = open(`${asked.url}/box/`, 'sk-a');
  expect(await recorder.closed).toEqual({ why: 'failed', failure: { kind: 'unauthorized' } });
  expect(asked.requests).toEqual(['/box/api/events']);
  expect(asked.headers[0]).toMatchObject({ accept: 'text/event-stream', authorization: 'Bearer sk-a' });
  expect(Object.keys(asked.headers[0] ?? {})).not.toContain('x-api-key');
});

describe('refusals', () => {
  test('204 is a sleeping host behind a wake-on-LAN proxy, and nothing else is asked', async () => {
    const asked = await host((_, response) => {
      response.writeHead(204);
      response.end();
    });
    const { recorder } = open(asked.url);
    expect(await recorder.closed).toEqual({ why: 'failed', failure: { kind: 'asleep' } });
    expect(asked.requests).toEqual(['/api/events']);
  });

  test('HTML where events should be', async () => {
    expect(
      await failureOf((_, response) => {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
        response.end('<html>hello</html>');
      }),
    ).toEqual({ kind: 'not_llama_swap', detail: 'it answers with text/html instead of events' });
  });

  test('a redirect is not followed, and its query is not repeated', async () => {
    const target = await host((_, response) => response.end());
    expect(
      await failureOf((_, response) => {
        response.writeHead(302, { location: `${target.url}/login?next=secret` });
        response.end();
      }),
    ).toEqual({ kind: 'not_llama_swap', detail: `it redirects to ${target.url}/login` });
    expect(target.requests).toEqual([]);
  });

  test('an error of a proxy in front, in its own words', async () => {
    expect(
      await failureOf((_, response) => {
        response.writeHead(502, { 'content-type': 'text/html' });
        response.end('<html><title>502 Bad Gateway</title></html>');
      }),
    ).toEqual({ kind: 'http', status: 502, detail: '502 Bad Gateway' });
  });

  test('404: a llama-swap before v135 answers /running, anything else does not', async () => {
    const notFound = (response: ServerResponse) => {
      response.writeHead(404);
      response.end();
    };
    expect(
      await failureOf((request, response) => {
        if (request.url !== '/running') return notFound(response);
        response.end('{"running":[]}');
      }),
    ).toEqual({ kind: 'too_old', version: null });
    expect(await failureOf((_, response) => notFound(response))).toEqual({
      kind: 'not_llama_swap',
      detail: 'it has neither /api/version nor /running',
    });
    expect(
      await failureOf((request, response) => {
        if (request.url !== '/api/version') return notFound(response);
        response.end('{"version":"0.12.3"}');
      }),
    ).toEqual({ kind: 'not_llama_swap', detail: 'its /api/version is not that of llama-swap' });
    expect(
      await failureOf((request, response) => {
        if (request.url !== '/api/version') return notFound(response);
        response.end('{"version":"v250","commit":"a","build_date":"b"}');
      }),
    ).toEqual({ kind: 'not_llama_swap', detail: 'llama-swap v250 behind something without /api/events' });
  });

  test('a port where nobody listens, a name that does not exist, a server of another kind', async () => {
    const ended = async (url: string) => {
      const end = await open(url).recorder.closed;
      return end.why === 'failed' ? end.failure.kind : end.why;
    };
    const closed = await startTestHost(() => {});
    await closed.close();
    expect(await ended(closed.url)).toBe('refused');
    expect(await ended('http://drover-test.invalid:1')).toBe('dns');

    const ssh = createServer((socket) => {
      socket.on('error', () => {});
      socket.end('SSH-2.0-OpenSSH_9.7\r\n');
    });
    await new Promise<void>((resolve) => ssh.listen(0, '127.0.0.1', resolve));
    cleanUps.push(() => ssh.close());
    const address = ssh.address();
    const port = typeof address === 'object' ? address?.port : 0;
    expect(await ended(`http://127.0.0.1:${port}`)).toBe('not_llama_swap');
    expect(await ended(`https://127.0.0.1:${port}`)).toBe('tls');
  });

  test('a key that no header can carry is refused before it is sent', async () => {
    const asked = await host((_, response) => response.end());
    const { recorder } = open(asked.url, 'line\nbreak');
    expect(await recorder.closed).toEqual({ why: 'failed', failure: { kind: 'unauthorized' } });
    expect(asked.requests).toEqual([]);
  });

  test('a connection that is cut', async () => {
    const { url } = await host((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data:{"type":"activity","data":"{\\"id\\":1}"}\n\n');
      setImmediate(() => response.destroy());
    });
    const { recorder } = open(url);
    const end = await recorder.closed;
    expect(end).toMatchObject({ why: 'failed', failure: { kind: 'reset' } });
    expect(recorder.events).toEqual([{ type: 'activity-id', id: 1 }]);
  });
});

test('closing before the headers arrive ends it at once', async () => {
  const { url } = await host(() => {});
  const { recorder, ending } = open(url);
  ending.abort();
  expect(await recorder.closed).toEqual({ why: 'aborted' });
});
