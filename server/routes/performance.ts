import type { FastifyInstance } from 'fastify';
import { routes } from '#shared/http/routes.ts';
import type { PerformanceQueries } from '../domain/performance-ports.ts';
import type { FleetReader } from '../domain/ports.ts';
import { AppError } from '../errors.ts';
import { mount } from '../plugins/zod.ts';

/** What the routes of performance samples need. */
export interface PerformanceRoutesOptions {
  readonly fleet: FleetReader;
  readonly performance: PerformanceQueries;
}

const DAY_MS = 86_400_000;

/** Samples of machines and cards: as charts draw them, and a whole day as they were taken. */
export function performanceRoutes(app: FastifyInstance, options: PerformanceRoutesOptions): void {
  const { fleet, performance } = options;

  mount(app, routes.performance, async ({ query, answer }) => {
    const found = await performance.answer(query);
    if (found) return answer(200, found);
    if (!fleet.hosts().some(({ id }) => id === query.hostId))
      throw new AppError('not_found', `There is no host "${query.hostId}".`);
    // It is configured, and nothing was sampled yet.
    return answer(200, { stepMs: query.step ?? 0, system: [], gpus: [] });
  });

  mount(app, routes.performanceDay, async ({ query, answer, reply }) => {
    const { hostId, day } = query;
    const packed = await performance.day(hostId, Date.parse(day) / DAY_MS);
    if (!packed) throw new AppError('not_found', `There are no samples of "${hostId}" on ${day}.`);
    // As with segments: the bytes are gzip, but they are the content. A day grows until it is over.
    reply
      .type('application/octet-stream')
      .header('cache-control', 'private, no-cache')
      .header('etag', `"${packed.hash}"`);
    return answer(200, packed.bytes);
  });
}
