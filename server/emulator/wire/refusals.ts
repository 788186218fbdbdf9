import type { EraTraits } from '../era.ts';
import type { LeaseRefusal } from '../swap-router.ts';
import { errorAnswer, httpError } from './answer.ts';
import type { Answer } from './answer.ts';

/** What a request that did not get its model is told. */
export function refusalAnswer(
  traits: EraTraits,
  accept: string,
  refusal: Exclude<LeaseRefusal, { kind: 'aborted' }>,
): Answer {
  const gin = traits.server === 'gin';
  const mux = (message: string): Answer =>
    errorAnswer(traits, accept, { status: 500, message: `unspecific error: ${message}` });
  switch (refusal.kind) {
    case 'start-failed':
      return gin ? httpError(502, `unable to start process: ${refusal.reason}`) : mux(refusal.reason);
    case 'unloaded':
      return gin
        ? httpError(502, 'unable to start process: process was stopped while waiting')
        : mux('group: model unloaded');
    case 'shutting-down':
      return gin
        ? httpError(503, 'Process can not ProxyRequest, state is stopped')
        : mux('group is shutting down');
    case 'busy':
      return tooMany(traits, accept);
  }
}

/** A peer that does not answer. */
export function peerUnreachable(traits: EraTraits, accept: string): Answer {
  const message = 'peer proxy error: dial tcp 127.0.0.1:9: connect: connection refused';
  return traits.errorBody === 'object'
    ? errorAnswer(traits, accept, { status: 502, message })
    : httpError(502, message);
}

function tooMany(traits: EraTraits, accept: string): Answer {
  const message = 'Too many requests';
  if (traits.server === 'gin') return httpError(429, message);
  if (traits.errorBody === 'object') {
    return errorAnswer(traits, accept, { status: 429, message, code: 'concurrency_limit' });
  }
  return {
    status: 429,
    headers: { 'Content-Type': 'application/json', 'Retry-After': '1' },
    body: JSON.stringify({ error: message }),
  };
}
