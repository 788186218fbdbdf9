import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { REQUESTS_PER_TURN, spreadRequests } from './spread-requests.ts';

test('of many requests at once a few begin in each turn, in order, and all are answered', async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  spreadRequests(app);
  const order: number[] = [];
  const inTurn = new Map<number, number>();
  let turn = 0;
  const nextTurn = (): void => {
    turn += 1;
    ticking = setImmediate(nextTurn);
  };
  let ticking = setImmediate(nextTurn);
  onTestFinished(() => clearImmediate(ticking));
  app.get('/:number', (request) => {
    order.push(Number(request.url.slice(1)));
    inTurn.set(turn, (inTurn.get(turn) ?? 0) + 1);
    return 'done';
  });
  await app.ready();
  const count = 5 * REQUESTS_PER_TURN + 3;
  const replies = await Promise.all(Array.from({ length: count }, (_, number) => app.inject(`/${number}`)));
  expect(replies.every(({ statusCode }) => statusCode === 200)).toBe(true);
  expect(order).toEqual(Array.from({ length: count }, (_, number) => number));
  expect(Math.max(...inTurn.values())).toBe(REQUESTS_PER_TURN);
  expect((await app.inject('/7')).payload).toBe('done');
});
