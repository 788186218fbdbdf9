import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { must } from '#shared/lib/assert.ts';
import { mapActivityRows } from '../domain/map-activity.ts';
import type { HostFeatures, UpstreamResult } from '../domain/ports.ts';
import { startRecordedHost, startTestHost } from '../testing/recorded-host.ts';
import { recordedBody, RECORDED_VERSIONS } from '../testing/recordings.ts';
import { createLlamaSwapClient } from './llama-swap-client.ts';
import { systemClock } from './system-clock.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});
const signal = new AbortController().signal;

function connect(url: string, key: string | null = null) {
  let unreadable = 0;
  const client = createLlamaSwapClient({
    url,
    key: () => key,
    clock: systemClock,
    onUnreadable: (count) => {
      unreadable += count;
    },
  });
  cleanUps.push(() => client.close());
  return { client, unreadable: () => unreadable };
}

async function recorded(version: string) {
  const host = await startRecordedHost(version);
  cleanUps.push(() => host.close());
  return { host, ...connect(host.url) };
}

async function answering(handle: (request: IncomingMessage, response: ServerResponse) => void, key?: string) {
  const host = await startTestHost(handle);
  cleanUps.push(() => host.close());
  return { host, ...connect(host.url, key ?? null) };
}

function valueOf<T>(result: UpstreamResult<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

function failureOf(result: UpstreamResult<unknown>) {
  if (result.ok) throw new Error('it succeeded');
  return result.failure;
}

const NOTHING: HostFeatures = {
  version: null,
  commit: null,
  buildDate: null,
  activity: 'none',
  activityRange: false,
  activitySource: false,
  performance: false,
  wolHealth: false,
  profiles: false,
  profileList: null,
  hardware: false,
  bootMarker: null,
  machine: null,
  logStream: false,
  inFlightTrusted: false,
  modelLogs: false,
  wolProxy: false,
};

describe('probes', () => {
  const since200 = { wolHealth: true, buildDate: '2026-08-22T00:00:00Z' };
  const since217 = { ...since200, performance: true };
  const since228 = { ...since217, inFlightTrusted: true, modelLogs: true };
  const since240 = { ...since228, activity: 'activity' };
  const profileList = { active: null, names: [{ id: 'day', description: 'daytime' }] };
  const since250 = { ...since240, profiles: true, profileList, hardware: true };
  test.each([
    ['v150', { activity: 'metrics' }],
    ['v200', { ...since200, activity: 'metrics', version: 'v200', commit: 'd87f0ce2' }],
    ['v217', { ...since217, activity: 'metrics', version: 'v217', commit: '636b53e7' }],
    ['v228', { ...since228, activity: 'metrics', version: 'v228' }],
    ['v235', { ...since228, activity: 'metrics', version: 'v235' }],
    ['v240', { ...since240, version: 'v240' }],
    ['v250', { ...since250, version: 'v250' }],
    [
      'main',
      {
        ...since250,
        version: 'main',
        commit: '0bdb3720',
        activityRange: true,
        bootMarker: '2026-11-30T10:30:27.432362795Z',
      },
    ],
  ])('%s', async (version, expected) => {
    const { client, host } = await recorded(version);
    const features = valueOf(await client.probe(null, signal));
    // Commits and start times differ from recording to recording: named where they are known, strings otherwise.
    const { commit, bootMarker, machine } = features;
    expect(features).toEqual({ ...NOTHING, commit, bootMarker, machine, ...expected });
    expect(commit === null).toBe(version === 'v150');
    expect(bootMarker === null).toBe(!features.hardware);
    expect(machine?.accelerators.length ?? null).toBe(features.hardware ? 2 : null);
    expect(host.requests[0]).toBe('/status');
    expect(host.requests[1]).toBe('/api/version');
    expect(host.requests.filter((path) => /upstream|props|unload|load/.test(path))).toEqual([]);
  });

  test('what is known of the same build is not asked again, but for the restart marker and the profiles', async () => {
    const { client, host } = await recorded('main');
    const known = valueOf(await client.probe(null, signal));
    const asked = host.requests.length;
    expect(
      valueOf(await client.probe({ ...known, bootMarker: 'before', profileList: null }, signal)),
    ).toEqual(known);
    expect(host.requests.slice(asked)).toEqual(['/status', '/api/version', '/api/hardware', '/api/profiles']);
    await client.probe({ ...known, commit: 'other' }, signal);
    expect(host.requests.length).toBeGreaterThan(asked + 8);
  });

  test('v259+: range, source and the stream of logs are found', async () => {
    const { client } = await answering((request, response) => {
      const url = request.url ?? '';
      const status = /min_id=0|events\/logs/.test(url) ? 400 : url === '/status' ? 404 : 200;
      response.writeHead(status);
      response.end(
        url === '/api/version' ? '{"version":"v262","commit":"a","build_date":"b"}' : '{"data":[]}',
      );
    });
    expect(valueOf(await client.probe(null, signal))).toMatchObject({
      activity: 'activity',
      activityRange: true,
      activitySource: true,
      logStream: true,
    });
  });

  test('behind a wake-on-LAN proxy nothing but its own status is asked', async () => {
    const { client, host } = await answering((_, response) => response.end('status: ready\nfailures: 0\n'));
    expect(valueOf(await client.probe(null, signal))).toEqual({ ...NOTHING, wolProxy: true });
    expect(host.requests).toEqual(['/status']);
  });

  test('v135–v139 have events but no activity: too old', async () => {
    const { client } = await answering((request, response) => {
      response.writeHead(request.url === '/running' ? 200 : 404);
      response.end(request.url === '/running' ? '{"running":null}' : '');
    });
    expect(failureOf(await client.probe(null, signal))).toEqual({ kind: 'too_old', version: null });
  });

  test('a key that was changed meanwhile', async () => {
    const { client } = await answering((request, response) => {
      response.writeHead(request.url === '/status' ? 404 : 401);
      response.end();
    });
    expect(failureOf(await client.probe(null, signal))).toEqual({ kind: 'unauthorized' });
  });
});

describe('activity', () => {
  test.each(['v150', 'v200', 'v217', 'v228', 'v235'])('the ring of %s, ascending', async (version) => {
    const { client, unreadable } = await recorded(version);
    const rows = valueOf(await client.metrics(signal));
    expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).sort((a, b) => a - b));
    expect(unreadable()).toBe(0);
  });

  test('a fresh v150 says null', async () => {
    const { client } = await answering((_, response) => response.end('null'));
    expect(valueOf(await client.metrics(signal))).toEqual([]);
  });

  test('the recorded rows of v250 and main: ids from 1, and a peer that failed', () => {
    const errors = [
      ['v250', '502 Bad Gateway'],
      ['main', 'peer proxy error: dial tcp 127.0.0.1:9: connect: connection refused'],
    ] as const;
    for (const [version, error] of errors) {
      const body: unknown = JSON.parse(recordedBody(version, '/api/metrics/activity?limit=999&order=asc'));
      const data = body !== null && typeof body === 'object' && 'data' in body ? body.data : null;
      const mapped = must(mapActivityRows(data), 'rows');
      expect(mapped.unreadable).toBe(0);
      expect(mapped.rows.map(({ id }) => id)).toEqual(mapped.rows.map((_, index) => index + 1));
      expect(mapped.rows.at(-1)).toMatchObject({
        modelId: 'lab/remote-70b',
        status: 502,
        inputTokens: null,
        outputTokens: null,
        cachedTokens: null,
        tokensPerSecond: null,
        error,
      });
    }
  });

  /** A host with rows 1…last that answers pages as v236+ does, `addAfterPage` rows arriving after each page. */
  function paging(options: { last: number; ranges?: boolean; addAfterPage?: number }) {
    let { last } = options;
    return answering((request, response) => {
      const query = new URL(request.url ?? '', 'http://host').searchParams;
      const limit = Number(query.get('limit'));
      const minId = options.ranges ? Number(query.get('min_id') ?? 1) : 1;
      const all = Array.from({ length: last }, (_, index) => last - index).filter((id) => id >= minId);
      const from = (Number(query.get('page')) - 1) * limit;
      const data = all.slice(from, from + limit).map((id) => ({
        id,
        timestamp: '2026-11-30T02:31:00-08:00',
        model: 'm',
        tokens: {},
        duration_ms: 1,
      }));
      response.end(JSON.stringify({ data, page: 1, limit, total: all.length, total_pages: 1 }));
      last += options.addAfterPage ?? 0;
    });
  }
  const after = (ranges: boolean) => ({ ...NOTHING, activity: 'activity' as const, activityRange: ranges });

  test('a burst needs one fetch', async () => {
    const { client, host } = await paging({ last: 600 });
    const result = valueOf(await client.activityAfter(450, { limit: 1000, features: after(false) }, signal));
    expect(result.complete).toBe(true);
    expect(result.rows.map(({ id }) => id)).toEqual(Array.from({ length: 150 }, (_, index) => 451 + index));
    expect(host.requests).toHaveLength(1);
  });

  test('pages go down to the known id, and rows that arrive meanwhile double nothing', async () => {
    const { client } = await paging({ last: 3000, addAfterPage: 30 });
    const result = valueOf(await client.activityAfter(100, { limit: 5000, features: after(false) }, signal));
    const ids = result.rows.map(({ id }) => id);
    expect(result.complete).toBe(true);
    expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => 101 + index));
    expect(ids.length).toBeGreaterThanOrEqual(2900);
  });

  test('after a long absence pages are as large as they can be', async () => {
    const { client, host } = await paging({ last: 5000 });
    const result = valueOf(
      await client.activityAfter(100, { limit: 10_000, features: after(false) }, signal),
    );
    expect(result.complete).toBe(true);
    expect(result.rows).toHaveLength(4900);
    expect(host.requests).toHaveLength(6);
  });

  test('with ranges the host leaves out what is known', async () => {
    const { client, host } = await paging({ last: 600, ranges: true });
    const result = valueOf(await client.activityAfter(590, { limit: 1000, features: after(true) }, signal));
    expect(result.rows.map(({ id }) => id)).toEqual([591, 592, 593, 594, 595, 596, 597, 598, 599, 600]);
    expect(result.complete).toBe(true);
    expect(host.requests[0]).toContain('min_id=590');
  });

  test('no more than the limit of the newest, and it says that there is more', async () => {
    const { client } = await paging({ last: 5000 });
    const result = valueOf(await client.activityAfter(null, { limit: 1500, features: after(false) }, signal));
    expect(result.complete).toBe(false);
    expect(result.rows.map(({ id }) => id)).toEqual(Array.from({ length: 1500 }, (_, index) => 3501 + index));
  });

  test('all of a short list, and a list that restarted below the known id', async () => {
    const { client } = await paging({ last: 3 });
    const all = valueOf(await client.activityAfter(null, { limit: 1000, features: after(false) }, signal));
    expect(all).toMatchObject({ complete: true, rows: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    const restarted = valueOf(
      await client.activityAfter(500, { limit: 1000, features: after(false) }, signal),
    );
    expect(restarted).toEqual({ complete: true, rows: [] });
  });

  test('a row that cannot be read is counted, an answer that cannot is a failure', async () => {
    const one = await answering((_, response) => response.end('{"data":[{"id":1},null]}'));
    expect(
      valueOf(await one.client.activityAfter(null, { limit: 10, features: after(false) }, signal)).rows,
    ).toEqual([]);
    expect(one.unreadable()).toBe(2);
    const other = await answering((_, response) => response.end('<html>'));
    const failed = await other.client.activityAfter(null, { limit: 10, features: after(false) }, signal);
    expect(failureOf(failed).kind).toBe('malformed');
  });
});

test.each(RECORDED_VERSIONS)('%s: running models, without their commands', async (version) => {
  const busy = recordedBody(version, '/running');
  const { client } = await answering((_, response) => response.end(busy));
  const running = valueOf(await client.running(signal));
  for (const row of running) expect(Object.keys(row)).toEqual(['modelId', 'state', 'ttlMs']);
  // Before v186 it is not said.
  expect(running.every(({ ttlMs }) => (ttlMs === null) === (version === 'v150'))).toBe(true);
  expect(JSON.stringify(running)).not.toContain('sk-secret');
});

describe('logs of a model', () => {
  test('history only: read for a second at most, cleaned', async () => {
    const text = recordedBody('main', '/logs/stream/coder');
    const { client, host } = await answering((_, response) => {
      response.write(`${text}run --api-key hidden-key\nsays swordfish\n`);
    }, 'swordfish');
    const lines = valueOf(await client.modelLogLines('org/chat [1m]', signal));
    expect(lines.slice(-2)).toEqual(['run --api-key [REDACTED]', 'says [REDACTED]']);
    expect(lines).toContain('build: 6123 (abc1234) with gcc');
    expect(lines.join('')).not.toContain('\u001b');
    expect(host.requests).toEqual(['/logs/stream/org/chat%20%5B1m%5D']);
  });

  test('a silent log sends no headers, and that is an empty history', async () => {
    const { client } = await answering(() => {});
    expect(valueOf(await client.modelLogLines('coder', signal))).toEqual([]);
  });

  test('an unknown model has none, and a model named like a log is not asked for', async () => {
    const { client, host } = await answering((_, response) => {
      response.writeHead(400);
      response.end("invalid logger. Use 'proxy', 'upstream' or a model's ID");
    });
    expect(valueOf(await client.modelLogLines('nope', signal))).toEqual([]);
    for (const name of ['proxy', 'upstream', 'http', '']) {
      expect(valueOf(await client.modelLogLines(name, signal))).toEqual([]);
    }
    expect(host.requests).toHaveLength(1);
  });
});

describe('liveness', () => {
  test.each([
    ['not probed yet', null, '/wol-health'],
    ['v167+', { ...NOTHING, wolHealth: true, performance: true }, '/wol-health'],
    ['without it', { ...NOTHING, performance: true }, '/api/performance?after='],
    ['oldest', NOTHING, '/health'],
  ])('%s', async (_, features, path) => {
    const { client, host } = await answering((request, response) => {
      response.writeHead(request.url === '/health' ? 404 : 200);
      response.end();
    });
    expect(valueOf(await client.ping(features, signal))).toBeNull();
    expect(host.requests[0]?.startsWith(path)).toBe(true);
  });

  test('an error of a proxy in front is no sign of life', async () => {
    const { client } = await answering((_, response) => {
      response.writeHead(502);
      response.end('bad gateway');
    });
    expect(failureOf(await client.ping(null, signal))).toEqual({
      kind: 'http',
      status: 502,
      detail: 'bad gateway',
    });
  });

  test('a logged ping has a path of its own each time', async () => {
    const { client, host } = await recorded('v217');
    const first = valueOf(await client.loggedPing(signal)).marker;
    const second = valueOf(await client.loggedPing(signal)).marker;
    expect(first).not.toBe(second);
    expect(host.requests).toEqual([first, second]);
  });
});

describe('bounds', () => {
  test('an answer without end is cut off', async () => {
    const { client } = await answering((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
      };
      response.on('drain', write);
      write();
    });
    expect(failureOf(await client.running(signal)).kind).toBe('too_large');
  });

  test('a host that does not answer is given up when the caller gives up', async () => {
    const { client } = await answering(() => {});
    const ending = new AbortController();
    const answer = client.ping(null, ending.signal);
    ending.abort();
    expect(failureOf(await answer)).toEqual({ kind: 'reset', detail: 'given up by Drover' });
  });

  test('a redirect is a failure, and the key stays here', async () => {
    const target = await answering((_, response) => response.end());
    const { client } = await answering((_, response) => {
      response.writeHead(307, { location: `${target.host.url}/running` });
      response.end();
    }, 'sk-a');
    expect(failureOf(await client.running(signal))).toEqual({
      kind: 'not_llama_swap',
      detail: `it redirects to ${target.host.url}/running`,
    });
    expect(target.host.requests).toEqual([]);
  });

  test('the key is not repeated in what went wrong', async () => {
    const { client } = await answering((_, response) => {
      response.writeHead(400);
      response.end('{"error":"no such key: swordfish"}');
    }, 'swordfish');
    expect(failureOf(await client.running(signal))).toEqual({
      kind: 'http',
      status: 400,
      detail: 'no such key: [REDACTED]',
    });
  });
});
