import type { FastifyInstance } from 'fastify';
import type { HostService } from '../services/host-service.ts';
import type { IntentService } from '../services/intent-service.ts';
import { accessRoutes, type AccessRoutesOptions } from './access.ts';
import { historyRoutes, type HistoryRoutesOptions } from './history.ts';
import { hostRoutes } from './hosts.ts';
import { intentRoutes } from './intents.ts';
import { serverRoutes, type ServerRoutesOptions } from './server.ts';

/** What all routes together need. */
export interface ApiOptions extends AccessRoutesOptions, HistoryRoutesOptions, ServerRoutesOptions {
  readonly hosts: HostService;
  readonly intents: IntentService;
}

/** Mounts every contract of `shared/http/routes.ts`; a test fails when one is missing. */
export function mountApi(app: FastifyInstance, options: ApiOptions): void {
  serverRoutes(app, options);
  accessRoutes(app, options);
  hostRoutes(app, options);
  historyRoutes(app, options);
  intentRoutes(app, options);
}
