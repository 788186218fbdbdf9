import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRecordedCaptures } from '../../testing/recorded-captures.ts';
import { STREAMS } from '#shared/completion/testing/streams.ts';
import { readCapture } from './read-capture.ts';

const RULES = { secrets: ['swordfish-7'], patterns: [/acme-\d+/gu], maxBytes: 256 * 1024 };

interface Kept {
  readonly requestHeaders?: Readonly<Record<string, string>> | null;
  readonly request?: string | Uint8Array | null;
  readonly responseHeaders?: Readonly<Record<string, string>> | null;
  readonly response?: string | Uint8Array | null;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const STREAM_TYPE = { 'Content-Type': 'text/event-stream' };

function wire({
  requestHeaders = JSON_TYPE,
  request = null,
  responseHeaders = JSON_TYPE,
  response = null,
}: Kept): string {
  const base64 = (body: string | Uint8Array | null): string | null =>
    body === null ? null : Buffer.from(body).toString('base64');
  return JSON.stringify({
    id: 7,
    req_path: '/v1/chat/completions',
    req_headers: requestHeaders,
    req_body: base64(request),
    resp_headers: responseHeaders,
    resp_body: base64(response),
  });
}

function read(kept: Kept, rules: Partial<typeof RULES> = {}) {
  const capture = readCapture(wire(kept), { ...RULES, ...rules });
  if (capture === null) throw new Error('no capture');
  return capture.content;
}

const textOf = (body: ReturnType<typeof read>['request']['body']): string =>
  body.kind === 'text' ? body.text : '';

describe('a recorded capture', () => {
  const recorded = readRecordedCaptures();

  it('is there for every release that has them', () => {
    expect([...new Set(recorded.map(({ version }) => version))]).toEqual([
      'v200',
      'v217',
      'v228',
      'v235',
      'v240',
      'v250',
      'main',
    ]);
  });

  it.each(recorded)('of $version, $path, is read', ({ body }) => {
    const capture = readCapture(body, RULES);
    expect(capture).toMatchObject({ path: expect.stringMatching(/^\/v1\//) });
    const isChat = capture?.path?.endsWith('completions') && capture.content.response.body.kind === 'text';
    const { notes, error } = capture?.content.answer ?? { notes: null, error: null };
    expect({ notes, error }).toEqual({ notes: isChat ? [] : null, error: null });
  });

  it('holds what was streamed: reasoning, and a tool call with its arguments', () => {
    const answers = recorded.flatMap(({ body }) => readCapture(body, RULES)?.content.answer ?? []);
    const parts = answers.flatMap(({ turns }) => turns.flatMap((turn) => turn.parts));
    expect(parts).toContainEqual({ kind: 'reasoning', text: 'let me think' });
    expect(parts).toContainEqual({
      kind: 'tool-call',
      callId: 'call_1',
      name: 'get_weather',
      arguments: '{"city":"Zürich"}',
    });
  });
});

describe('secrets', () => {
  it('are taken out of headers, bodies and answers, and counted', () => {
    const content = read({
      requestHeaders: {
        ...JSON_TYPE,
        Authorization: '[REDACTED]',
        Cookie: 'a=b',
        'X-Goog-Api-Key': 'abc',
        'X-Session-Id': 's-42',
      },
      request: JSON.stringify({
        api_key: 'plain',
        max_tokens: 12,
        messages: [
          { role: 'user', content: 'use sk-abcdefgh12345 for acme-991, export HF_TOKEN=hf_abcdefgh1' },
        ],
      }),
      response: JSON.stringify({ choices: [{ message: { content: 'swordfish-7 it is' } }] }),
    });
    expect(content.request.headers).toEqual([
      { name: 'Content-Type', value: 'application/json' },
      { name: 'Authorization', value: '[REDACTED]' },
      { name: 'Cookie', value: '[REDACTED]' },
      { name: 'X-Goog-Api-Key', value: '[REDACTED]' },
      { name: 'X-Session-Id', value: 's-42' },
    ]);
    expect(JSON.parse(textOf(content.request.body))).toEqual({
      api_key: '[REDACTED]',
      max_tokens: 12,
      messages: [{ role: 'user', content: 'use [REDACTED] for [REDACTED], export HF_TOKEN=[REDACTED]' }],
    });
    expect(content.answer?.turns[0]?.parts).toEqual([{ kind: 'text', text: '[REDACTED] it is' }]);
    expect(textOf(content.response.body)).not.toContain('swordfish');
    expect(content.redactions).toBe(8);
  });

  it('leave no trace in frames either, also where one is spread over several of them', () => {
    const spoken = { reasoning: ['hm'], arguments: ['{}'] };
    const whole = read({
      responseHeaders: STREAM_TYPE,
      response: STREAMS.chat({ ...spoken, text: ['sk-abcdefgh12345'] }),
    });
    expect(whole.response.body.kind).toBe('text');
    expect(JSON.stringify(whole)).not.toContain('abcdefgh');
    const spread = read({
      responseHeaders: STREAM_TYPE,
      response: STREAMS.chat({ ...spoken, text: ['It is sk', '-abcd', 'efgh12345'] }),
    });
    expect(spread.answer?.turns[0]?.parts).toContainEqual({ kind: 'text', text: 'It is [REDACTED]' });
    expect(spread.response.body).toMatchObject({ kind: 'withheld' });
    expect(JSON.stringify(spread)).not.toContain('efgh12345');
  });

  it('in frames are seen also where another one was taken out, and where only their beginning was', () => {
    const spoken = { reasoning: ['hm'], arguments: ['{}'] };
    const stream = (text: readonly string[]) =>
      read({ responseHeaders: STREAM_TYPE, response: STREAMS.chat({ ...spoken, text }) });
    const beside = read({
      responseHeaders: STREAM_TYPE,
      response: `data: {"choices":[],"api_key":"plain"}\n\n${STREAMS.chat({ ...spoken, text: ['sk', '-abcd', 'efgh12345'] })}`,
    });
    expect(beside.response.body).toMatchObject({ kind: 'withheld' });
    const tail = stream(['It is sk-abcdefgh', '12345 then']);
    expect(tail.answer?.turns[0]?.parts).toContainEqual({ kind: 'text', text: 'It is [REDACTED] then' });
    expect(tail.response.body).toMatchObject({ kind: 'withheld' });
    expect(stream(['It is swordfish', '-7.']).response.body).toMatchObject({ kind: 'withheld' });
    const apart = stream(['It is ', 'sk-abcdefgh12345', ' then']);
    expect(apart.response.body.kind).toBe('text');
  });

  it('in a stream too long to compare with its frames cost all of these', () => {
    const piece = 'lorem ipsum '.repeat(80_000);
    const text = [...Array(9).fill(piece), 'sk-abcdefgh12345'];
    const response = STREAMS.chat({ reasoning: ['hm'], text, arguments: ['{}'] });
    const content = read({ responseHeaders: STREAM_TYPE, response });
    expect(content.response.body).toMatchObject({ kind: 'withheld' });
    expect(content.answer?.turns[0]?.parts[1]).toMatchObject({ text: expect.stringContaining('[REDACTED]') });
  });

  it('a configured pattern that matches a word of ours costs no answer', () => {
    const response = JSON.stringify({ choices: [{ message: { content: 'a text' } }] });
    const { answer } = read({ response }, { patterns: [/text/gu] });
    expect(answer?.turns[0]?.parts).toEqual([{ kind: 'text', text: 'a [REDACTED]' }]);
  });

  it('in lists, as numbers and as keys are taken out of JSON', () => {
    const content = read({
      request: JSON.stringify({
        headers: { 'X-Api-Key': ['plainvalue', 'another'], Accept: ['*/*'] },
        password: 12_345_678,
        max_tokens: 12,
        command: ['llama-server', '--api-key', 'plainvalue', '-c', '8192'],
        limits: { 'sk-abcdefgh12345': 1, 'sk-abcdefgh67890': 2, 'acme-7': 3, team: 4 },
      }),
    });
    expect(JSON.parse(textOf(content.request.body))).toEqual({
      headers: { 'X-Api-Key': ['[REDACTED]', '[REDACTED]'], Accept: ['*/*'] },
      password: '[REDACTED]',
      max_tokens: 12,
      command: ['llama-server', '--api-key', '[REDACTED]', '-c', '8192'],
      limits: { '[REDACTED]': 1, '[REDACTED] (2)': 2, '[REDACTED] (3)': 3, team: 4 },
    });
    expect(content.redactions).toBe(7);
  });

  it.each([
    ['a field given twice', '{"api_key":"plainvalue","api_key":""}'],
    ['a number given twice', '{"a":[{"password":12345678,"password":null}]}'],
    ['an object given twice', '{"x":{"t":"use sk-plainvalue"},"x":{}}'],
    ['a key that is escaped', String.raw`{"x":{"pass\u0077ord":12345678},"x":{"a\"b":"\\"}}`],
  ])('hidden by %s do not stay in the bytes', (_what, json) => {
    const content = read({
      request: json,
      responseHeaders: STREAM_TYPE,
      response: `data: ${json}\n\ndata: [DONE]\n\n`,
    });
    expect(JSON.stringify(content)).not.toMatch(/plainvalue|12345678/);
    expect(content.response.body.kind).toBe('text');
  });

  it('are looked for in a frame that is nested without end', () => {
    const nested = `${'['.repeat(50_000)}"sk-abcdefgh12345"${']'.repeat(50_000)}`;
    const content = read({ responseHeaders: STREAM_TYPE, response: `data: ${nested}\n\n` });
    expect(content.response.body.kind).toBe('text');
    expect(JSON.stringify(content)).not.toContain('abcdefgh');
  });

  it('are not seen in a vocabulary', () => {
    const frame = {
      choices: [{ index: 0, delta: { content: 'a' }, logprobs: { content: [{ token: 'a', logprob: -1 }] } }],
    };
    const content = read({
      responseHeaders: STREAM_TYPE,
      response: `data: ${JSON.stringify(frame)}\n\ndata: [DONE]\n\n`,
    });
    expect(content.redactions).toBe(0);
    expect(textOf(content.response.body)).toContain('"token":"a"');
  });
});

describe('bodies', () => {
  it('that need nothing stay byte for byte', () => {
    const request = String.raw`{ "model":"coder",  "n": 1.50, "a": [{"n": "\"n\":"}, {"n": {}}] }`;
    const stream = STREAMS.chat({ reasoning: ['a'], text: ['b'], arguments: ['{}'] });
    const content = read({ request, responseHeaders: STREAM_TYPE, response: stream });
    expect(content.request.body).toEqual({
      kind: 'text',
      text: request,
      sizeBytes: request.length,
      omittedBytes: 0,
      brokenAt: null,
    });
    expect(textOf(content.response.body)).toBe(stream);
    expect(content.redactions).toBe(0);
  });

  it('that are no text are told by type and size', () => {
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255);
    const content = read({
      requestHeaders: { 'Content-Type': 'multipart/form-data; boundary=x' },
      request: 'a text in a form',
      responseHeaders: { 'Content-Type': 'image/png' },
      response: png,
    });
    expect(content.request.body).toEqual({ kind: 'binary', mediaType: 'multipart/form-data', sizeBytes: 16 });
    expect(content.response.body).toEqual({ kind: 'binary', mediaType: 'image/png', sizeBytes: 8 });
    expect(content.answer).toBeNull();
    expect(read({ requestHeaders: {}, request: png }).request.body).toMatchObject({ kind: 'binary' });
    expect(
      read({ request: 'x', requestHeaders: { ...JSON_TYPE, 'Content-Encoding': 'gzip' } }).request.body,
    ).toMatchObject({
      mediaType: 'application/json, gzip',
    });
  });

  it('keep no picture that was sent along', () => {
    const url = `data:image/png;base64,${'iVBORw0KGgo'.repeat(4000)}`;
    const content = read({
      request: JSON.stringify({
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
      }),
    });
    expect(textOf(content.request.body)).toContain('data:image/png;base64,[33 KB, not kept]');
    expect(content.request.body).toMatchObject({ omittedBytes: expect.any(Number) });
  });

  it('of broken base64 end where it breaks, and say so', () => {
    const good = Buffer.from('{"messages":[{"role":"user","content":"hello there"}]}').toString('base64');
    const capture = readCapture(
      JSON.stringify({
        id: 7,
        req_path: '/x',
        req_headers: JSON_TYPE,
        req_body: `${good.slice(0, 40)}!!${good.slice(42)}`,
      }),
      RULES,
    );
    expect(capture?.content.request.body).toEqual({
      kind: 'text',
      text: '{"messages":[{"role":"user","c',
      sizeBytes: 30,
      omittedBytes: 0,
      brokenAt: 30,
    });
    expect(capture?.content.response).toEqual({ headers: null, body: { kind: 'none' } });
  });

  it('of which nothing was kept are none', () => {
    const content = read({ requestHeaders: null, responseHeaders: null });
    expect(content).toEqual({
      redactions: 0,
      request: { headers: null, body: { kind: 'none' } },
      response: { headers: null, body: { kind: 'none' } },
      answer: null,
    });
  });
});

describe('what is too large', () => {
  const long = (chars: number): string => 'lorem ipsum dolor '.repeat(chars / 18);

  it('keeps every turn and the whole JSON, and says in the text where it was cut', () => {
    const messages = Array.from({ length: 40 }, (_, turn) => ({
      role: 'user',
      content: `${turn}: ${long(40_000)}`,
    }));
    const content = read({ request: JSON.stringify({ messages }) });
    const kept = JSON.parse(textOf(content.request.body));
    expect(kept.messages).toHaveLength(40);
    expect(kept.messages[39].content).toMatch(/^39: lorem.*…\[\d+ characters left out\]…/);
    expect(content.request.body).toMatchObject({
      sizeBytes: expect.any(Number),
      omittedBytes: expect.any(Number),
    });
    expect(JSON.stringify(content).length).toBeLessThanOrEqual(RULES.maxBytes);
    expect(JSON.stringify(content).length).toBeGreaterThan(RULES.maxBytes / 2);
  });

  it('keeps a long answer put together, and of its frames whole ones from both ends', () => {
    const words = Array.from({ length: 20_000 }, (_, at) => `word${at} `);
    const stream = STREAMS.chat({ reasoning: ['hm'], text: words, arguments: ['{}'] });
    const content = read({ responseHeaders: STREAM_TYPE, response: stream });
    const text = content.answer?.turns[0]?.parts.find((part) => part.kind === 'text')?.text;
    expect(text).toMatch(/^word0 word1 .*characters left out.*word19999 $/);
    expect(content.answer?.usage?.outputTokens).toBe(12);
    const frames = textOf(content.response.body);
    expect(frames).toMatch(/\n\n: \d+ bytes left out here\n\ndata: /);
    expect(frames.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(JSON.stringify(content).length).toBeLessThanOrEqual(RULES.maxBytes);
  });

  it('of any content fits, as bytes', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 3000 });
    fc.assert(
      fc.property(text, text, fc.jsonValue(), fc.integer({ min: 1, max: 40 }), (a, b, json, times) => {
        const content = read(
          {
            request: JSON.stringify({ messages: [{ role: 'user', content: a.repeat(times) }], json }),
            responseHeaders: STREAM_TYPE,
            response:
              STREAMS.chat({ reasoning: [b.repeat(times)], text: [a], arguments: [b] }) + b.repeat(times),
          },
          { maxBytes: 16 * 1024 },
        );
        expect(Buffer.byteLength(JSON.stringify(content))).toBeLessThanOrEqual(16 * 1024);
      }),
      { numRuns: 60 },
    );
  });

  it('in 20 MB is read, of one long line, of many numbers, and nested without end', () => {
    const megabytes = 'x y '.repeat(5 * 1024 * 1024);
    expect(read({ request: JSON.stringify({ prompt: megabytes }) }).request.body).toMatchObject({
      kind: 'text',
      sizeBytes: megabytes.length + 13,
    });
    const numbers = read({
      response: JSON.stringify({ data: Array.from({ length: 400_000 }, (_, at) => at / 7) }),
    });
    expect(textOf(numbers.response.body)).toContain('characters left out');
    const nested = read({ request: '['.repeat(50_000) + ']'.repeat(50_000) });
    expect(nested.request.body.kind).toBe('text');
  });
});

it('what is no capture is none', () => {
  for (const text of ['', 'null', '[]', '{"error":"x"}', '<html>', '{"id":"7"}'])
    expect(readCapture(text, RULES)).toBeNull();
  expect(readCapture('{"id":7}', RULES)?.path).toBeNull();
});
