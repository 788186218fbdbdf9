import type { FastifyInstance } from 'fastify';

/** Requests that begin in one turn of the event loop. A dozen and a half take a few milliseconds. */
export const REQUESTS_PER_TURN = 16;

/**
 * Lets a few requests begin in each turn of the event loop; more wait for the next, in order. All devices of a house that
 * come back at once would otherwise be served in one turn, and no live value would leave meanwhile. Add it first.
 */
export function spreadRequests(app: FastifyInstance): void {
  const waiting: (() => void)[] = [];
  let begun = 0;
  const turn = (): void => {
    const next = waiting.splice(0, REQUESTS_PER_TURN);
    begun = next.length;
    if (begun > 0) setImmediate(turn);
    for (const begin of next) begin();
  };
  app.addHook('onRequest', (_request, _reply, done) => {
    if (begun >= REQUESTS_PER_TURN) {
      waiting.push(done);
      return;
    }
    if (begun === 0) setImmediate(turn);
    begun += 1;
    done();
  });
}
