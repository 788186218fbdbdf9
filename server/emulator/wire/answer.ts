import type { EraTraits } from '../era.ts';
import { goJson, goMapJson } from './go-format.ts';

/** A whole answer: status, headers as Go spells them, body. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const TEXT = 'text/plain; charset=utf-8';

/** A plain `OK`, or any other text of a handler. */
export function textAnswer(text: string, contentType = TEXT): Answer {
  return { status: 200, headers: { 'Content-Type': contentType }, body: text };
}

/** JSON as the era's server writes it: gin without, net/http with a final newline. */
export function jsonAnswer(traits: EraTraits, value: Readonly<Record<string, unknown>>): Answer {
  return traits.server === 'gin'
    ? {
        status: 200,
        headers: { 'Content-Type': 'application/json; charset=utf-8' },
        body: goMapJson(value),
      }
    : { status: 200, headers: { 'Content-Type': 'application/json' }, body: `${goJson(value)}\n` };
}

/** An error llama-swap itself makes, in the dialect its era chooses by `Accept`. */
export function errorAnswer(
  traits: EraTraits,
  accept: string,
  error: { readonly status: number; readonly message: string; readonly code?: string },
): Answer {
  const { status, message } = error;
  if (traits.server === 'gin') {
    return accept.includes('application/json')
      ? jsonError(traits, status, { error: message })
      : { status, headers: { 'Content-Type': TEXT }, body: message };
  }
  if (accept.includes('text/plain')) {
    return { status, headers: { 'Content-Type': 'text/plain' }, body: `llama-swap: ${message}` };
  }
  if (accept.includes('text/html')) {
    const body = `<html><body><h1>llama-swap</h1><p>${message}</p></body></html>`;
    return { status, headers: { 'Content-Type': 'text/html' }, body };
  }
  if (traits.errorBody === 'string') {
    return jsonError(traits, status, { error: message, src: 'llama-swap' });
  }
  const code = error.code ?? errorCode(status);
  const body = { src: 'llama-swap', error: { message, type: errorType(status), param: null, code } };
  return { status, headers: { 'Content-Type': 'application/json' }, body: goJson(body) };
}

/** Errors that were JSON whatever `Accept` says, up to v217. */
export function alwaysJsonError(traits: EraTraits, accept: string, status: number, message: string): Answer {
  return errorAnswer(traits, traits.server === 'gin' ? 'application/json' : accept, { status, message });
}

/** Go's `http.Error`: plain text with a newline and `nosniff`. */
export function httpError(status: number, text: string): Answer {
  return {
    status,
    headers: { 'Content-Type': TEXT, 'X-Content-Type-Options': 'nosniff' },
    body: `${text}\n`,
  };
}

/** No such route. */
export function notFound(traits: EraTraits): Answer {
  return traits.server === 'gin'
    ? { status: 404, headers: {}, body: '' }
    : httpError(404, '404 page not found');
}

/** The route exists, for other methods; the old server knew no difference. */
export function methodNotAllowed(traits: EraTraits, allow: string): Answer {
  if (traits.server === 'gin') return notFound(traits);
  const error = httpError(405, 'Method Not Allowed');
  return { ...error, headers: { Allow: allow, ...error.headers } };
}

/** A redirect as Go's `http.Redirect` answers a GET. */
export function redirect(location: string, status: 301 | 302): Answer {
  const word = status === 301 ? 'Moved Permanently' : 'Found';
  return {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', Location: location },
    body: `<a href="${location}">${word}</a>.\n\n`,
  };
}

function jsonError(traits: EraTraits, status: number, value: Readonly<Record<string, unknown>>): Answer {
  const type = traits.server === 'gin' ? 'application/json; charset=utf-8' : 'application/json';
  return { status, headers: { 'Content-Type': type }, body: goMapJson(value) };
}

function errorType(status: number): string {
  if (status === 401 || status === 403) return 'authentication_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

function errorCode(status: number): string {
  const codes: Readonly<Record<number, string>> = {
    400: 'bad_request',
    401: 'unauthorized',
    403: 'forbidden',
    404: 'not_found',
    409: 'conflict',
    429: 'rate_limit_exceeded',
    500: 'internal_error',
    502: 'bad_gateway',
    503: 'service_unavailable',
    504: 'gateway_timeout',
  };
  return codes[status] ?? (status >= 500 ? 'internal_error' : 'invalid_request');
}
