import type { FastifyInstance } from 'fastify';
import type { IntentService } from '../services/intent-service.ts';
import { accessRoutes, type AccessRoutesOptions } from './access.ts';
import { historyRoutes, type HistoryRoutesOptions } from './history.ts';
import { hostRoutes, type HostRoutesOptions } from './hosts.ts';
import { intentRoutes } from './intents.ts';
import { logRoutes, type LogRoutesOptions } from './logs.ts';
import { performanceRoutes, type PerformanceRoutesOptions } from './performance.ts';
import { serverRoutes, type ServerRoutesOptions } from './server.ts';

/** What all routes together need. */
export interface ApiOptions
  extends
    AccessRoutesOptions,
    HistoryRoutesOptions,
    HostRoutesOptions,
    LogRoutesOptions,
    PerformanceRoutesOptions,
    ServerRoutesOptions {
  readonly intents: IntentService;
}

/** Mounts every contract of `shared/http/routes.ts`; a test fails when one is missing. */
export function mountApi(app: FastifyInstance, options: ApiOptions): void {
  serverRoutes(app, options);
  accessRoutes(app, options);
  hostRoutes(app, options);
  historyRoutes(app, options);
  logRoutes(app, options);
  performanceRoutes(app, options);
  intentRoutes(app, options);
}
