import type { FastifyInstance } from 'fastify';
import type { AuthService } from '../services/auth-service.ts';
import type { HostService } from '../services/host-service.ts';
import { accessRoutes } from './access.ts';
import { historyRoutes, type HistoryRoutesOptions } from './history.ts';
import { hostRoutes } from './hosts.ts';
import { serverRoutes, type ServerRoutesOptions } from './server.ts';

/** What all routes together need. */
export interface ApiOptions extends HistoryRoutesOptions, ServerRoutesOptions {
  readonly auth: AuthService;
  readonly hosts: HostService;
  readonly publicUrl: string | null;
}

/** Mounts every contract of `shared/http/routes.ts`; a test fails when one is missing. */
export function mountApi(app: FastifyInstance, options: ApiOptions): void {
  serverRoutes(app, options);
  accessRoutes(app, options);
  hostRoutes(app, options);
  historyRoutes(app, options);
}
