import fastifyRateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Authenticator } from '../domain/identity.ts';
import type { Clock } from '../domain/ports.ts';
import { AppError } from '../errors.ts';
import { identify } from './auth.ts';

/** What one address without a session or key may ask of the public routes and the sync endpoint in a minute. */
export const STRANGER_REQUESTS_PER_MINUTE = 600;

/** What the limit needs to know who is no stranger. */
export interface StrangerLimitOptions {
  readonly authenticator: Authenticator;
  readonly clock: Clock;
}

/**
 * Limits strangers by address where they get an answer at all. Who is signed in is never counted: after a restart all
 * devices of a house come back at once, from one address. The static client is free, for it costs next to nothing.
 */
export async function limitStrangers(app: FastifyInstance, options: StrangerLimitOptions): Promise<void> {
  await app.register(fastifyRateLimit, {
    max: STRANGER_REQUESTS_PER_MINUTE,
    timeWindow: 60_000,
    allowList: (request: FastifyRequest) =>
      !/^\/(api|sync)\//.test(request.url) || typeof identify(request, options) !== 'string',
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('rate_limited', `Too many requests. Try again in ${Math.ceil(ttl / 1000)} s.`, {
        retryAfterMs: ttl,
      }),
  });
}
