import { STATUS_CODES } from 'node:http';
import { errors } from 'undici';
import { redactText } from '#shared/lib/redact.ts';
import { readErrorBody } from '#shared/upstream/error-body.ts';
import type { UpstreamFailure } from '../domain/ports.ts';

type TransportKind = 'refused' | 'dns' | 'timeout' | 'reset' | 'unreachable';

const TRANSPORT: ReadonlyMap<string, readonly [TransportKind, string]> = new Map([
  ['ECONNREFUSED', ['refused', 'connection refused']],
  ['ENOTFOUND', ['dns', 'no such name']],
  ['EAI_AGAIN', ['dns', 'the name server did not answer']],
  ['EAI_NODATA', ['dns', 'the name has no address']],
  ['UND_ERR_CONNECT_TIMEOUT', ['timeout', 'no connection in time']],
  ['UND_ERR_HEADERS_TIMEOUT', ['timeout', 'no answer in time']],
  ['UND_ERR_BODY_TIMEOUT', ['timeout', 'the answer stopped']],
  ['ETIMEDOUT', ['timeout', 'no connection in time']],
  ['ECONNRESET', ['reset', 'the connection was cut']],
  ['ECONNABORTED', ['reset', 'the connection was cut']],
  ['EPIPE', ['reset', 'the connection was cut']],
  ['UND_ERR_SOCKET', ['reset', 'the connection was cut']],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', ['reset', 'the answer was cut']],
  ['EHOSTUNREACH', ['unreachable', 'no route to the host']],
  ['ENETUNREACH', ['unreachable', 'the network is unreachable']],
  ['EHOSTDOWN', ['unreachable', 'the host is down']],
  ['EADDRNOTAVAIL', ['unreachable', 'the address cannot be used']],
  ['EACCES', ['unreachable', 'the connection is not permitted here']],
  ['EPERM', ['unreachable', 'the connection is not permitted here']],
]);

/** After "The certificate is not trusted": why. */
const CERTIFICATE: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', 'it has expired'],
  ['CERT_NOT_YET_VALID', 'it is not valid yet'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'it is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its issuer is not known here'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its issuer is not known here'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'its issuer is not known here'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its issuer is not known here'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'it was made for another name'],
]);
const NOT_TLS = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG']);
const TLS_CODE =
  /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO|CRL_|HOSTNAME_MISMATCH)/;

/** What a rejected request means. `known` are secrets that no detail may repeat. */
export function failureOfError(error: unknown, known: readonly string[] = []): UpstreamFailure {
  const code = errorCode(error);
  const transport = TRANSPORT.get(code);
  if (transport) return { kind: transport[0], detail: transport[1] };
  const message = redactText(error instanceof Error ? error.message : String(error), known).slice(0, 200);
  if (NOT_TLS.has(code)) return { kind: 'tls', detail: 'This port does not speak TLS; try http://' };
  if (TLS_CODE.test(code)) {
    return { kind: 'tls', detail: `The certificate is not trusted: ${CERTIFICATE.get(code) ?? message}` };
  }
  if (error instanceof errors.HTTPParserError || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return { kind: 'not_llama_swap', detail: 'it does not speak HTTP' };
  }
  return { kind: 'unreachable', detail: message || code || 'no reason given' };
}

/** What an answer other than the one asked for means. */
export function failureOfStatus(
  reply: { readonly status: number; readonly location: string | null; readonly body: string },
  known: readonly string[] = [],
): UpstreamFailure {
  if (reply.status === 401) return { kind: 'unauthorized' };
  if (reply.status >= 300 && reply.status < 400) {
    // Never followed: the key would go to wherever it points.
    const target = redactText((reply.location ?? 'nowhere').replace(/[?#].*$/s, ''), known).slice(0, 200);
    return { kind: 'not_llama_swap', detail: `it redirects to ${target}` };
  }
  if (/HTTP request to an HTTPS server/.test(reply.body)) {
    return { kind: 'not_llama_swap', detail: 'this port speaks TLS; try https://' };
  }
  const detail =
    redactText(readErrorBody(reply.body) ?? '', known) || (STATUS_CODES[reply.status] ?? 'no reason given');
  return { kind: 'http', status: reply.status, detail };
}

// undici wraps, and a name with several addresses fails with one error for each: the first one that says something wins.
function errorCode(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return '';
  if (error instanceof AggregateError) {
    const inner: unknown = error.errors[0];
    const code = errorCode(inner, depth + 1);
    if (code) return code;
  }
  const own = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (own && (TRANSPORT.has(own) || TLS_CODE.test(own))) return own;
  return errorCode(error.cause, depth + 1) || own;
}
