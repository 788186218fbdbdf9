import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactText } from './redact.ts';

test.each([
  // Command lines
  [
    'node model-server.mjs --port 25020 --model coder --api-key sk-secret-in-cmd',
    'node model-server.mjs --port 25020 --model coder --api-key [REDACTED]',
  ],
  ['llama-server --api-key=abc -c 8192', 'llama-server --api-key=[REDACTED] -c 8192'],
  ["vllm serve --api-key 'two words' --port 1", 'vllm serve --api-key [REDACTED] --port 1'],
  ['vllm serve --hf-token "a\\"b c" --port 1', 'vllm serve --hf-token [REDACTED] --port 1'],
  ['["llama-server","--api-key","abc"]', '["llama-server","--api-key",[REDACTED]]'],
  ['HF_TOKEN=abcdef OPENAI_API_KEY="x y" run', 'HF_TOKEN=[REDACTED] OPENAI_API_KEY=[REDACTED] run'],
  ['curl -u admin:hunter2 http://box/', 'curl -u [REDACTED] http://box/'],
  // URLs
  ['GET https://box/v1?key=abc&model=m', 'GET https://box/v1?key=[REDACTED]&model=m'],
  ['pull https://me:pw@box/repo', 'pull https://[REDACTED]@box/repo'],
  ['https://s3/x?X-Amz-Signature=abcdef&y=1', 'https://s3/x?X-Amz-Signature=[REDACTED]&y=1'],
  // Headers
  ['Authorization: Bearer abc.def', 'Authorization: [REDACTED]'],
  ['authorization: Basic dTpw\nnext line', 'authorization: [REDACTED]\nnext line'],
  ['x-api-key: abc', 'x-api-key: [REDACTED]'],
  ['Cookie: a=b; c=d', 'Cookie: [REDACTED]'],
  ['{"Authorization":"Bearer abc","Accept":"*/*"}', '{"Authorization":"[REDACTED]","Accept":"*/*"}'],
  [`{'api_key': 'abc', 'n': 1}`, `{'api_key': '[REDACTED]', 'n': 1}`],
  [String.raw`"{\"token\":\"abc\",\"n\":1}"`, String.raw`"{\"token\":\"[REDACTED]\",\"n\":1}"`],
  ['sent Bearer abcdefgh to it', 'sent Bearer [REDACTED] to it'],
  // YAML and bare tokens
  ['  api_key: abc', '  api_key: [REDACTED]'],
  ['got sk-proj-abcdefgh12345 from env', 'got [REDACTED] from env'],
  ['hf_abcdefgh1234', '[REDACTED]'],
  ['drv_0123456789abcdef', '[REDACTED]'],
  ['eyJhbGciOiJI.eyJzdWIiOiIx.abc_def', '[REDACTED]'],
])('%s', (text, expected) => {
  expect(redactText(text)).toBe(expected);
  expect(redactText(expected)).toBe(expected);
});

test.each([
  'llama-server --max-tokens 100 --tokenizer x --n-predict 5 -ngl 99',
  'print_info: BOS token        = 1 "<s>"',
  'slot launch_slot_: id 0 | task 4 | processing task',
  'n_tokens = 12, max_tokens=100',
  '[INFO] Request 127.0.0.1 "GET /api/version HTTP/1.1" 200 80 "" 5µs',
  'loading unsloth/gpt-oss-20b-GGUF:UD-Q4_K_XL from /models/task-12345678.gguf',
  'main: server is listening on 127.0.0.1 ünïcode ✓',
])('what is no secret stays: %s', (text) => {
  expect(redactText(text)).toBe(text);
});

test('keys of ours are taken out wherever they stand', () => {
  expect(redactText('no such key: swordfish!', ['swordfish'])).toBe('no such key: [REDACTED]!');
});

test('a secret after a key word is never left, whatever it looks like', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9+/=_.~-]{8,40}$/).filter((value) => !/^[-=]/.test(value));
  fc.assert(
    fc.property(secret, (value) => {
      for (const text of [
        `run --api-key ${value} x`,
        `Authorization: Bearer ${value}`,
        `http://h/?token=${value}`,
      ]) {
        expect(redactText(text)).not.toContain(value);
      }
    }),
  );
});

test('hostile lines cost linear time', () => {
  for (const unit of ['a-', '--api-', 'key=', '"key":', 'Bearer ', '\\"', 'token_', 'http://a', "'"]) {
    const started = performance.now();
    redactText(unit.repeat(50_000));
    expect(performance.now() - started).toBeLessThan(2000);
  }
});
