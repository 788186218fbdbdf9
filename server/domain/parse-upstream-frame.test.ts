import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseUpstreamFrame } from './parse-upstream-frame.ts';

const frame = (type: string, data: unknown) => JSON.stringify({ type, data: JSON.stringify(data) });
const parse = (type: string, data: unknown) => parseUpstreamFrame(frame(type, data));
const rowsOf = (data: unknown) =>
  parse('metrics', data).flatMap((event) => (event.type === 'activity-rows' ? event.rows : []));

const flatRow = {
  id: 0,
  timestamp: '2026-11-30T02:38:04.923307273-08:00',
  model: 'coder',
  input_tokens: 14,
  output_tokens: 12,
  tokens_per_second: 60,
  duration_ms: 251,
};
const nestedRow = {
  id: 7,
  timestamp: '2026-11-30T02:31:00-08:00',
  model: 'lab/remote-70b',
  req_path: '/v1/chat/completions',
  resp_content_type: 'application/json',
  resp_status_code: 200,
  tokens: {
    cache_tokens: 3,
    draft_tokens: -1,
    draft_acc_tokens: -1,
    input_tokens: 11,
    output_tokens: 12,
    prompt_per_second: 215.69,
    tokens_per_second: 60,
  },
  duration_ms: 1522,
  has_capture: true,
  metadata: { fifo_priority: '0' },
};
const minimalTokens = {
  cache_tokens: 0,
  draft_tokens: 0,
  input_tokens: 0,
  output_tokens: 0,
  prompt_per_second: 0,
  tokens_per_second: 0,
};

describe('activity rows', () => {
  test('a flat row (v140–v151, one object): what its era does not report is null', () => {
    expect(rowsOf(flatRow)).toEqual([
      {
        id: 0,
        modelId: 'coder',
        path: null,
        endedAt: Date.UTC(2026, 10, 30, 10, 38, 4, 923),
        status: null,
        inputTokens: 14,
        outputTokens: 12,
        cachedTokens: null,
        promptPerSecond: null,
        tokensPerSecond: 60,
        durationMs: 251,
        hasCapture: false,
        error: null,
        source: null,
        sourceCertainty: 'unknown',
      },
    ]);
  });

  test('the wall-clock mix that v140 calls tokens_per_second is not a speed', () => {
    const mix = ((14 + 12) * 1000) / 251;
    expect(rowsOf({ ...flatRow, tokens_per_second: mix })[0]?.tokensPerSecond).toBeNull();
    expect(rowsOf([{ ...flatRow, tokens_per_second: mix, prompt_per_second: 200 }])[0]?.tokensPerSecond).toBe(
      mix,
    );
  });

  test('−1 is unknown, and so is a duration of 0 that was timed from the first byte', () => {
    const row = {
      ...flatRow,
      cache_tokens: -1,
      tokens_per_second: -1,
      prompt_per_second: -1,
      duration_ms: 0,
    };
    expect(rowsOf([row])[0]).toMatchObject({
      cachedTokens: null,
      tokensPerSecond: null,
      promptPerSecond: null,
      durationMs: null,
      inputTokens: 14,
    });
  });

  test('a nested row (v209+) with its path, status, source and redacted error', () => {
    const row = {
      ...nestedRow,
      src: 'ip:10.0.0.7',
      error_msg: 'bad key: Bearer abcdefgh',
      resp_status_code: 499,
    };
    expect(rowsOf([row])[0]).toEqual({
      id: 7,
      modelId: 'lab/remote-70b',
      path: '/v1/chat/completions',
      endedAt: Date.UTC(2026, 10, 30, 10, 31),
      status: 499,
      inputTokens: 11,
      outputTokens: 12,
      cachedTokens: 3,
      promptPerSecond: 215.69,
      tokensPerSecond: 60,
      durationMs: 1522,
      hasCapture: true,
      error: 'bad key: Bearer [REDACTED]',
      source: 'ip:10.0.0.7',
      sourceCertainty: 'exact',
    });
  });

  test('a minimal row has 0 everywhere, and all of it is unknown', () => {
    expect(rowsOf([{ ...nestedRow, resp_status_code: 502, tokens: minimalTokens }])[0]).toMatchObject({
      status: 502,
      inputTokens: null,
      outputTokens: null,
      cachedTokens: null,
      promptPerSecond: null,
      tokensPerSecond: null,
    });
    // Embeddings put in tokens and bring none out: that 0 is true.
    const embedding = { ...minimalTokens, input_tokens: 9, cache_tokens: -1 };
    expect(rowsOf([{ ...nestedRow, tokens: embedding }])[0]).toMatchObject({
      inputTokens: 9,
      outputTokens: 0,
    });
  });

  test('a bad row loses only itself, and is said', () => {
    const rows = [nestedRow, { ...nestedRow, id: 'x' }, 5, null, { ...nestedRow, id: 8, timestamp: 'soon' }];
    expect(parse('metrics', rows)).toEqual([
      { type: 'activity-rows', rows: [expect.objectContaining({ id: 7 })] },
      { type: 'malformed', detail: 'metrics: 4 rows could not be read' },
    ]);
  });

  test('a field of a wrong type is unknown, and the row stays', () => {
    const row = {
      ...nestedRow,
      tokens: 'many',
      req_path: 5,
      resp_status_code: 'ok',
      duration_ms: {},
      src: [],
    };
    expect(rowsOf([row])[0]).toMatchObject({
      id: 7,
      inputTokens: null,
      path: null,
      status: null,
      durationMs: null,
      source: null,
    });
  });

  test('hostile names are kept within bounds', () => {
    const row = {
      ...nestedRow,
      model: `${'m'.repeat(5000)}\0`,
      req_path: `/${'p'.repeat(9000)}?key=abc`,
      error_msg: `\ud800${'e'.repeat(9000)}`,
      src: 's'.repeat(9000),
    };
    const [read] = rowsOf([row]);
    expect(read?.modelId).toHaveLength(1024);
    expect(read?.path).toHaveLength(2048);
    expect(read?.error).toHaveLength(500);
    expect(read?.source).toHaveLength(512);
    expect(read?.error?.isWellFormed()).toBe(true);
  });

  test('null is an empty list; a word is none', () => {
    expect(parse('metrics', null)).toEqual([{ type: 'activity-rows', rows: [] }]);
    expect(parse('metrics', 'none')).toEqual([{ type: 'malformed', detail: 'metrics: no list' }]);
  });

  test('clocks that are years off are read as they are; the zero time is not a time', () => {
    expect(rowsOf([{ ...nestedRow, timestamp: '1970-01-01T00:00:09Z' }])[0]?.endedAt).toBe(9000);
    expect(rowsOf([{ ...nestedRow, timestamp: '2099-12-31T23:59:59+14:00' }])[0]?.endedAt).toBe(
      Date.UTC(2099, 11, 31, 9, 59, 59),
    );
    expect(rowsOf([{ ...nestedRow, timestamp: '0001-01-01T00:00:00Z' }])).toEqual([]);
  });
});

describe('modelStatus', () => {
  const modelsOf = (data: unknown) =>
    parse('modelStatus', data).flatMap((event) => (event.type === 'models' ? event.models : []));

  test('a row of the newest and one of the oldest era', () => {
    const rows = [
      {
        id: 'coder',
        name: 'Coder 7B',
        description: 'small coder',
        state: 'ready',
        unlisted: false,
        peerID: '',
        aliases: ['coder-latest'],
        capabilities: { vision: true, function_calling: true, reranker: false },
        context_length: 8192,
        readySince: '2026-11-30T10:00:00Z',
        uptimeMs: 5000,
      },
      { id: 'old', name: '', description: '', state: 'stopped' },
      { id: 'lab/remote-70b', name: '', description: '', state: '', unlisted: false, peerID: 'lab' },
    ];
    const nothing = {
      name: '',
      description: '',
      aliases: [],
      contextLength: null,
      capabilities: [],
      uptimeMs: null,
    };
    expect(modelsOf(rows)).toEqual([
      {
        modelId: 'coder',
        name: 'Coder 7B',
        description: 'small coder',
        state: 'ready',
        aliases: ['coder-latest'],
        peerId: null,
        unlisted: false,
        contextLength: 8192,
        capabilities: ['function_calling', 'vision'],
        uptimeMs: 5000,
      },
      { ...nothing, modelId: 'old', state: 'stopped', peerId: null, unlisted: false },
      { ...nothing, modelId: 'lab/remote-70b', state: 'unknown', peerId: 'lab', unlisted: false },
    ]);
  });

  test('null lists, odd types and words of a fork cost nothing', () => {
    expect(
      modelsOf([{ id: '', state: 'sleeping', name: 5, aliases: null, capabilities: [1] }])[0],
    ).toMatchObject({
      modelId: '',
      state: 'sleeping',
      name: '',
      aliases: [],
      capabilities: [],
    });
    expect(parse('modelStatus', null)).toEqual([{ type: 'models', models: [] }]);
    // Rows that nobody can read are no empty list.
    expect(parse('modelStatus', [null, 7, {}])).toMatchObject([{ type: 'malformed' }]);
    expect(parse('inflight', { requests: [{ model: 'x' }] })).toMatchObject([{ type: 'malformed' }]);
  });

  test('an id that two offer is there once: the local one, else the peer that sorts first', () => {
    const peer = (peerID: string) => ({ id: 'm', state: '', peerID });
    const local = { id: 'm', state: 'ready', peerID: '' };
    expect(modelsOf([peer('b'), local, peer('a')])).toEqual([expect.objectContaining({ state: 'ready' })]);
    expect(modelsOf([peer('b'), peer('a')])).toEqual([expect.objectContaining({ peerId: 'a' })]);
  });

  test('a config of 10,000 models is read quickly', () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => ({
      id: `model/${index}:Q4 [${index}m]`,
      state: 'stopped',
    }));
    const text = frame('modelStatus', rows);
    const started = performance.now();
    const events = parseUpstreamFrame(text);
    expect(performance.now() - started).toBeLessThan(1000);
    expect(events[0]?.type === 'models' && events[0].models.length).toBe(10_000);
  });
});

describe('inflight', () => {
  const row = {
    id: '1',
    timestamp: '2026-11-30T02:27:21.885023835-08:00',
    model: 'coder',
    req_path: '/v1/chat/completions',
    method: 'POST',
    req_headers: { Authorization: 'Bearer abcdefgh' },
    remote_ip: '127.0.0.1',
    elapsed_ms: 12,
    resp_bytes: 18_432,
  };
  const request = {
    id: '1',
    modelId: 'coder',
    path: '/v1/chat/completions',
    method: 'POST',
    startedAtHost: Date.UTC(2026, 10, 30, 10, 27, 21, 885),
    elapsedMs: 12,
    source: 'ip:127.0.0.1',
    isNamed: false,
    responseBytes: 18_432,
  };

  test.each([
    ['a number (v192–v234)', { total: 3 }, { type: 'in-flight-total', total: 3 }],
    ['rows (v235–v239)', { requests: [row] }, { type: 'in-flight-snapshot', requests: [request] }],
    ['no rows', { requests: null }, { type: 'in-flight-snapshot', requests: [] }],
    ['an empty snapshot (v240+)', { operation: 'snapshot' }, { type: 'in-flight-snapshot', requests: [] }],
    ['an upsert', { operation: 'upsert', request: row }, { type: 'in-flight-upsert', request }],
    ['a remove', { operation: 'remove', id: '1' }, { type: 'in-flight-remove', id: '1' }],
    ['an operation of a fork', { operation: 'pause' }, { type: 'unknown', word: 'inflight pause' }],
    ['nothing', {}, { type: 'malformed', detail: 'inflight: no count' }],
    ['a remove of nothing', { operation: 'remove' }, { type: 'malformed', detail: 'inflight: no id' }],
  ])('%s', (_, data, event) => {
    expect(parse('inflight', data)).toEqual([event]);
  });
});

test.each([
  ['logData', { source: 'http', data: 'GET /' }, { type: 'log', source: 'http', text: 'GET /' }],
  ['logData', { data: 'x' }, { type: 'log', source: '', text: 'x' }],
  ['activity', { id: 38 }, { type: 'activity-id', id: 38 }],
  [
    'uiConfig',
    { activity: { session_id: ['X-Session-ID'] } },
    { type: 'ui-config', sessionHeaders: ['X-Session-ID'] },
  ],
  ['uiConfig', {}, { type: 'ui-config', sessionHeaders: [] }],
  ['profileChanged', { active: null }, { type: 'profile', active: null }],
  ['profileChanged', { active: 'day' }, { type: 'profile', active: 'day' }],
  ['backendProgress', { p: 1 }, { type: 'unknown', word: 'backendProgress' }],
])('%s %j', (type, data, event) => {
  expect(parse(type, data)).toEqual([event]);
});

test('data that is not encoded twice is read all the same', () => {
  expect(parseUpstreamFrame('{"type":"activity","data":{"id":4}}')).toEqual([{ type: 'activity-id', id: 4 }]);
});

test.each([
  ['<html>', 'a message that is not an event (6 characters)'],
  ['{"data":"{}"}', 'a message that is not an event (13 characters)'],
  ['{"type":"activity","data":"{"}', 'activity: data is not JSON (30 characters)'],
])('%s is malformed, and says so without quoting it', (text, detail) => {
  expect(parseUpstreamFrame(text)).toEqual([{ type: 'malformed', detail }]);
});

const TYPES = ['logData', 'modelStatus', 'metrics', 'activity', 'inflight', 'uiConfig', 'profileChanged'];

test('nothing that arrives makes it throw', () => {
  const payload = fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()), fc.constant(null));
  fc.assert(
    fc.property(fc.constantFrom(...TYPES, 'other'), payload, (type, data) => {
      expect(parseUpstreamFrame(frame(type, data)).length).toBeGreaterThan(0);
    }),
    { numRuns: 400 },
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(parseUpstreamFrame(text)[0]?.type).toBe('malformed');
    }),
  );
});

test('rows with any field replaced by anything are read or counted', () => {
  const key = fc.constantFrom(...Object.keys(nestedRow), 'input_tokens', 'error_msg', 'src');
  fc.assert(
    fc.property(key, fc.jsonValue(), (name, value) => {
      const events = parse('metrics', [nestedRow, { ...nestedRow, [name]: value }]);
      const [first, second] = events;
      expect(first?.type === 'activity-rows' && first.rows.length + (second ? 1 : 0)).toBe(2);
    }),
    { numRuns: 400 },
  );
});
