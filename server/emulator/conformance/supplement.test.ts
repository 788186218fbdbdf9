import { beforeAll, describe, expect, test } from 'vitest';
import { must } from '#shared/lib/assert.ts';
import { open, startHost } from '../testing/host-fixture.ts';
import { headOf, label } from './compare.ts';
import { kindOf, parseMessages, recordedMessages } from './recording.ts';
import type { RecordedMessage } from './recording.ts';
import { bodyShape, shapeOf } from './shape.ts';
import { replayStory } from './story.ts';
import type { Story } from './story.ts';

// v262 was not recorded. It is told the story of the newest recorded build and must differ from it in what its published
// description names, and in nothing else.
const NEW_KEYS = ['src', 'context_window', 'readySince', 'uptimeMs'];
let story: Story;

beforeAll(async () => {
  story = await replayStory('v262', 'main');
}, 150_000);

describe('v262 beside the newest recorded build', () => {
  test('answers with the same statuses and headers', () => {
    const { replayed } = story;
    expect(replayed.map(({ recorded, answer }) => label(recorded, answer && headOf(answer)))).toEqual(
      replayed.map(({ recorded: one }) => label(one, one.response ? headOf(one.response) : null)),
    );
  });

  test('answers with the same bodies, but for the keys that are new', () => {
    const pairs = story.replayed.flatMap(({ recorded, answer }) =>
      recorded.response && answer && !recorded.response.cut
        ? [{ recorded, theirs: recorded.response, ours: answer }]
        : [],
    );
    expect(pairs.map(({ recorded, ours }) => label(recorded, plainShape(ours.body, ours.headers)))).toEqual(
      pairs.map(({ recorded, theirs }) => label(recorded, plainShape(theirs.body ?? '', theirs.headers))),
    );
  });

  test('has the new keys where they belong', () => {
    const bodyOf = (path: string): string =>
      must(
        story.replayed.findLast(
          ({ recorded, answer }) => recorded.request.path === path && answer?.status === 200,
        )?.answer,
        path,
      ).body;
    expect(JSON.parse(bodyOf('/v1/models'))).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ id: 'coder', context_length: 8192, context_window: 8192 }),
      ]),
    });
    expect(JSON.parse(bodyOf('/api/metrics/activity?limit=999&order=asc'))).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id: 1, src: 'ip:127.0.0.1' })]),
    });
  });

  test('says all errors in the same words but the one that names its log streams', () => {
    const errors = story.replayed.filter(
      ({ recorded, answer }) => answer && (recorded.response?.status ?? 0) >= 400,
    );
    const same = errors.filter(({ recorded }) => recorded.request.path !== '/logs/stream/nope');
    expect(same.map(({ recorded, answer }) => label(recorded, answer?.body ?? null))).toEqual(
      same.map(({ recorded }) => label(recorded, recorded.response?.body ?? null)),
    );
    const other = errors.find(({ recorded }) => recorded.request.path === '/logs/stream/nope');
    expect(other?.answer?.body).toContain("invalid logger. Use 'proxy', 'upstream', 'http' or a model's ID");
  });

  test('begins its event stream without logs, and never sends any', () => {
    for (const stream of story.streams.values()) {
      const kinds = parseMessages(stream.text()).map(kindOf);
      expect(kinds.slice(0, 4)).toEqual(['modelStatus', 'uiConfig', 'profileChanged', 'inflight']);
      expect(kinds.some((kind) => kind.startsWith('logData'))).toBe(false);
    }
  });

  test('sends the other messages in the same structure, ready models with their uptime', () => {
    const ours = parseMessages(must(story.streams.get(1), 'stream').text());
    expect(structure(ours)).toEqual(structure(recordedMessages('main', 1)));
    const ready = ours
      .filter(({ type }) => type === 'modelStatus')
      .flatMap(({ data }) => (Array.isArray(data) ? data : []))
      .filter((row) => row.state === 'ready' || row.uptimeMs !== undefined);
    expect(ready.length).toBeGreaterThan(0);
    for (const row of ready) {
      expect(row.state).toBe('ready');
      expect(row.uptimeMs).toBeGreaterThanOrEqual(1);
      expect(row.readySince).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    }
  });
});

describe('v262 log events', () => {
  test('ask for their streams by name', async () => {
    const { url } = await startHost({ era: 'v262' });
    const ask = async (query: string): Promise<unknown> =>
      (await fetch(`${url}/api/events/logs${query}`)).json();
    const refused = (message: string): unknown => ({
      src: 'llama-swap',
      error: { message, type: 'invalid_request_error', param: null, code: 'bad_request' },
    });
    expect(await ask('')).toEqual(refused('at least one stream is required: proxy, upstream or http'));
    expect(await ask('?stream=proxy,http')).toEqual(
      refused('invalid stream "proxy,http". Use proxy, upstream or http'),
    );
  });

  test('carry access lines on a stream of their own, with history unless unwanted', async () => {
    const { url } = await startHost({ era: 'v262' });
    await fetch(`${url}/running`);
    const logs = await open(`${url}/api/events/logs?stream=http&stream=proxy&stream=http`);
    await logs.until(/GET \/running/);
    const sources = parseMessages(logs.text()).map(kindOf);
    expect([...sources].sort()).toEqual(['logData http', 'logData proxy']);
    expect(await (await fetch(`${url}/logs`)).text()).not.toContain('GET /running');
    await fetch(`${url}/wol-health`);
    await fetch(`${url}/health`);
    expect(await logs.until(/GET \/health/)).not.toContain('wol-health');
  });

  test('are told apart from older releases by the probes meant for it', async () => {
    const { url } = await startHost({ era: 'v262' });
    const older = await startHost({ era: 'v250' });
    const probes = async (base: string): Promise<readonly unknown[]> => [
      (await fetch(`${base}/api/events/logs`)).status,
      (await fetch(`${base}/api/metrics/activity?limit=1&sort=src`)).status,
      (await fetch(`${base}/api/metrics/activity?limit=1&min_id=0`)).status,
      (await fetch(`${base}/api/mcp`)).status,
      (await fetch(`${base}/running`, { headers: { origin: 'http://page' } })).headers.get(
        'access-control-allow-origin',
      ),
    ];
    expect(await probes(url)).toEqual([400, 200, 400, 405, '*']);
    expect(await probes(older.url)).toEqual([404, 400, 200, 404, null]);
  });
});

function plainShape(body: string, headers: Readonly<Record<string, string>>): string {
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('application/json') || body === '') return bodyShape(body, type);
  const newline = body.endsWith('\n') ? '\n' : '';
  return bodyShape(`${JSON.stringify(plain(JSON.parse(body)))}${newline}`, type);
}

function structure(messages: readonly RecordedMessage[]): readonly string[] {
  const shapes = messages
    .filter(({ type }) => type !== 'logData')
    .map(({ type, data }) => `${type} ${shapeOf(plain(data))}`);
  return [...new Set(shapes)].sort();
}

/** The same value without what is new. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => (NEW_KEYS.includes(key) ? undefined : inner)),
  );
}
