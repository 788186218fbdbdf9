import type { FastifyInstance } from 'fastify';
import { routes } from '#shared/http/routes.ts';
import type { FleetReader, HistoryQuery, SegmentReader } from '../domain/ports.ts';
import type { CaptureService } from '../services/capture-service.ts';
import { AppError } from '../errors.ts';
import { mount } from '../plugins/zod.ts';

/** What the read-only routes need. */
export interface HistoryRoutesOptions {
  readonly fleet: FleetReader;
  readonly history: HistoryQuery;
  readonly segments: SegmentReader;
  readonly captures: Pick<CaptureService, 'open'>;
}

/** Models as they are, activity as it was, what its hosts kept of a request, and sealed segments. */
export function historyRoutes(app: FastifyInstance, options: HistoryRoutesOptions): void {
  mount(app, routes.listModels, ({ query, answer }) => {
    if (query.hostId !== undefined && !options.fleet.hosts().some((host) => host.id === query.hostId)) {
      throw new AppError('not_found', `There is no host "${query.hostId}".`);
    }
    return answer(200, { models: [...options.fleet.models(query.hostId)] });
  });

  mount(app, routes.activity, async ({ query, answer }) =>
    answer(200, await options.history.activity(query)),
  );

  mount(app, routes.capture, async ({ query, answer, reply }) => {
    // The app keeps it in its own store, which ends with the session; no other copy is to be left behind.
    reply.header('cache-control', 'no-store');
    return answer(200, await options.captures.open(query));
  });

  mount(app, routes.activitySummary, async ({ query, answer }) =>
    answer(200, await options.history.summary(query)),
  );

  mount(app, routes.segment, ({ params, answer, reply }) => {
    const bytes = options.segments.segment(params.hash);
    if (bytes === null) throw new AppError('not_found', 'There is no segment with this hash.');
    // The bytes are gzip, but they are the content: a browser must not unpack them on the way into its store.
    reply
      .type('application/octet-stream')
      .header('cache-control', 'private, max-age=31536000, immutable')
      .header('etag', `"${params.hash}"`);
    return answer(200, bytes);
  });
}
