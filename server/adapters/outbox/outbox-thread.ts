import { applyToOutbox, diffOutbox } from '#sync/outbox-check.ts';
import { serveThread } from '../thread/thread-serve.ts';
import { outboxRequest, type OutboxReply } from './outbox-request.ts';

serveThread((input): OutboxReply => {
  const request = outboxRequest.parse(input);
  if (request.ask === 'diff') {
    return { ask: 'diff', update: diffOutbox(request.state, request.vector) };
  }
  const began = performance.now();
  const verdict = applyToOutbox(request.state, request.update);
  return { ask: 'judge', verdict, ranMs: performance.now() - began };
});
