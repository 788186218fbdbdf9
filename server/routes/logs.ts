import type { FastifyInstance } from 'fastify';
import { routes } from '#shared/http/routes.ts';
import type { KeptLogsPage, KeptLogsQuery } from '#shared/schemas/log.ts';
import { mount } from '../plugins/zod.ts';

/** What the route of kept log lines needs. */
export interface LogRoutesOptions {
  readonly keptLogs: { page(query: KeptLogsQuery): KeptLogsPage };
}

/** Log lines from before the tail that a socket gets. */
export function logRoutes(app: FastifyInstance, { keptLogs }: LogRoutesOptions): void {
  mount(app, routes.keptLogs, ({ query, answer }) => answer(200, keptLogs.page(query)));
}
