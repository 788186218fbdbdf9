import { describe, expect, it } from 'vitest';
import { sourceOfHeaders, sourceOfRunning } from './request-source.ts';

describe('the source that headers name', () => {
  it.each([
    ['Drover’s own header', { 'X-Drover-Source': 'bench' }, { source: 'bench', header: 'X-Drover-Source' }],
    ['its alias', { 'x-boo-source': 'arena' }, { source: 'arena', header: 'x-boo-source' }],
    ['a session', { 'X-Session-Id': 'sess-42' }, { source: 'sess-42', header: 'X-Session-Id' }],
    [
      'the proxy’s session',
      { 'X-Litellm-Session-Id': 's1' },
      { source: 's1', header: 'X-Litellm-Session-Id' },
    ],
    [
      'its own name before the session',
      { 'X-Session-Id': 's1', 'X-Drover-Source': 'bench' },
      { source: 'bench', header: 'X-Drover-Source' },
    ],
    ['space around it', { 'X-Drover-Source': '  ci  ' }, { source: 'ci', header: 'X-Drover-Source' }],
    ['nothing', { 'User-Agent': 'curl/8' }, null],
    ['an empty one', { 'X-Drover-Source': ' ' }, null],
    ['what is redacted already', { 'X-Session-Id': '[REDACTED]' }, null],
    ['what is no text', { 'X-Session-Id': 7 }, null],
  ])('is %s', (_, headers, found) => {
    expect(sourceOfHeaders(headers)).toEqual(found);
  });

  it('follows the host’s own list of session headers, but never a secret one', () => {
    const headers = { 'X-Chat-Id': 'chat-9', 'X-Session-Id': 'sess-42', Authorization: 'Bearer abcdefgh' };
    expect(sourceOfHeaders(headers, ['X-Chat-Id'])?.source).toBe('chat-9');
    expect(sourceOfHeaders(headers, [])).toBeNull();
    expect(sourceOfHeaders(headers, ['authorization', 'Cookie', 'x-api-key'])).toBeNull();
  });

  it('is bounded, and free of secrets', () => {
    expect(sourceOfHeaders({ 'X-Drover-Source': 'x'.repeat(9_000) })?.source).toHaveLength(512);
    expect(sourceOfHeaders({ 'X-Drover-Source': 'https://me:hunter2@box' })).toBeNull();
  });
});

describe('the source of a running request', () => {
  it('is an address where no header names it, in the words of later hosts', () => {
    const from = (headers: Record<string, string>, remoteIp: string | null) =>
      sourceOfRunning({ headers, remoteIp });
    expect(from({}, '10.0.0.7')).toEqual({ source: 'ip:10.0.0.7', header: null });
    expect(from({ 'X-Forwarded-For': '10.0.0.9' }, '10.0.0.9')?.source).toBe('xff:10.0.0.9');
    expect(from({ 'X-Session-Id': 's1' }, '10.0.0.7')?.source).toBe('s1');
    expect(from({}, null)).toBeNull();
  });
});
