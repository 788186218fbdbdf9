import { expect, test } from 'vitest';
import { failureOfError, failureOfStatus } from './upstream-failure.ts';

const coded = (code: string, message = code) => Object.assign(new Error(message), { code });

test.each([
  ['ECONNREFUSED', { kind: 'refused', detail: 'connection refused' }],
  ['ENOTFOUND', { kind: 'dns', detail: 'no such name' }],
  ['UND_ERR_CONNECT_TIMEOUT', { kind: 'timeout', detail: 'no connection in time' }],
  ['EHOSTUNREACH', { kind: 'unreachable', detail: 'no route to the host' }],
  ['UND_ERR_SOCKET', { kind: 'reset', detail: 'the connection was cut' }],
  ['CERT_HAS_EXPIRED', { kind: 'tls', detail: 'The certificate is not trusted: it has expired' }],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    { kind: 'tls', detail: 'The certificate is not trusted: it is self-signed' },
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    { kind: 'tls', detail: 'The certificate is not trusted: it was made for another name' },
  ],
  ['ERR_SSL_WRONG_VERSION_NUMBER', { kind: 'tls', detail: 'This port does not speak TLS; try http://' }],
])('%s', (code, failure) => {
  expect(failureOfError(coded(code))).toEqual(failure);
  expect(failureOfError(new Error('wrapped', { cause: coded(code) }))).toEqual(failure);
  expect(failureOfError(new AggregateError([coded(code), coded('EPERM')]))).toEqual(failure);
});

test('what is not known is said in its own words, without our key', () => {
  expect(failureOfError(coded('EWEIRD', 'odd swordfish'), ['swordfish'])).toEqual({
    kind: 'unreachable',
    detail: 'odd [REDACTED]',
  });
  expect(failureOfError('text')).toEqual({ kind: 'unreachable', detail: 'text' });
});

test('an answer without a reason is told by the name of its status', () => {
  expect(failureOfStatus({ status: 502, location: null, body: '' })).toEqual({
    kind: 'http',
    status: 502,
    detail: 'Bad Gateway',
  });
});

test('plain HTTP to a TLS port is told with its remedy', () => {
  const body = 'Client sent an HTTP request to an HTTPS server.\n';
  expect(failureOfStatus({ status: 400, location: null, body })).toEqual({
    kind: 'not_llama_swap',
    detail: 'this port speaks TLS; try https://',
  });
});
