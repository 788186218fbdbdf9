import { expect, test } from 'vitest';
import { readErrorBody } from './error-body.ts';

test.each([
  ['', null],
  ['  \n', null],
  ['404 page not found\n', '404 page not found'],
  ['llama-swap: unauthorized: invalid or missing API key', 'unauthorized: invalid or missing API key'],
  ['{"error":"unauthorized"}', 'unauthorized'],
  ['{"src":"llama-swap","error":"no router for requested model"}', 'no router for requested model'],
  [
    '{"src":"llama-swap","error":{"message":"min_id must be \\u003e= 1","type":"invalid_request_error","param":null,"code":"bad_request"}}',
    'min_id must be >= 1',
  ],
  [
    '{"src":"llama-swap","error":"unspecific error: cannot find "x" here"}',
    'unspecific error: cannot find "x" here',
  ],
  ['{"detail":"Not Found"}', 'Not Found'],
  ['{"msg":"ok"}', 'ok'],
  ['{"error":{"code":5}}', '{"error":{"code":5}}'],
  ['<html><head><title>502 Bad Gateway</title></head><body><h1>x</h1></body></html>', '502 Bad Gateway'],
  ['<p>down for <b>maintenance</b></p>', 'down for maintenance'],
  ['{"error":"rejected Authorization: Bearer abcdefgh"}', 'rejected Authorization: [REDACTED]'],
])('%s', (body, message) => {
  expect(readErrorBody(body)).toBe(message);
});

test('a hostile body costs little and stays short', () => {
  for (const unit of ['{"error":"', '<script>', '<title', '{"error": ', '" }']) {
    const started = performance.now();
    expect(readErrorBody(unit.repeat(50_000))?.length ?? 0).toBeLessThanOrEqual(500);
    expect(performance.now() - started).toBeLessThan(1000);
  }
});
