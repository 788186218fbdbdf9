import { expect, test } from 'vitest';
import type { PairingRequest } from '#shared/schemas/pairing.ts';
import { browserWords, requestWords } from './request-view.ts';
import { roleOptions } from './role-options.ts';

test.each([
  [
    'Mozilla/5.0 (Linux; Android 16; Pixel) AppleWebKit/537.36 Chrome/148.0.0.0 Mobile Safari/537.36',
    'Android, Chrome 148',
  ],
  ['Mozilla/5.0 (Windows NT 10.0) Chrome/148.0.0.0 Safari/537.36 Edg/148.0.1', 'Windows, Edge 148'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
    'iPhone, Safari 18',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Linux, Firefox 145'],
  ['curl/8.5', 'curl/8.5'],
  ['', 'a browser that does not name itself'],
])('the browser %s is shown as %s', (userAgent, words) => {
  expect(browserWords(userAgent)).toBe(words);
});

test('a request says whose code it came with, when, and from where', () => {
  const at = new Date(2026, 10, 30, 14, 10).getTime();
  const request: PairingRequest = {
    id: 'r1',
    label: 'ben-tablet',
    address: '192.168.1.44',
    userAgent: 'curl/8.5',
    role: 'operator',
    at,
    expiresAt: at + 600_000,
    madeBy: 'ana-laptop',
  };
  expect(requestWords(request, 'ana-laptop', at)).toBe('with your code, 14:10, from 192.168.1.44, curl/8.5');
  expect(requestWords(request, 'cy-laptop', at)).toContain('with a code of ana-laptop');
});

test('nobody is offered to give more than they have', () => {
  expect(roleOptions('operator').map(({ value }) => value)).toEqual(['viewer', 'operator']);
});
