import type { FastifyInstance } from 'fastify';
import { routes } from '#shared/http/routes.ts';
import { mount } from '../plugins/zod.ts';
import type { HostAudit } from '../services/host-audit.ts';
import type { HostService } from '../services/host-service.ts';

/** What the routes need. */
export interface HostRoutesOptions {
  readonly hosts: HostService;
  readonly hostAudit: HostAudit;
}

/** The registry of hosts and the Test button. */
export function hostRoutes(app: FastifyInstance, options: HostRoutesOptions): void {
  const { hosts, hostAudit } = options;

  mount(app, routes.listHosts, ({ answer }) => answer(200, { hosts: [...hosts.list()] }));

  mount(app, routes.createHost, ({ body, identity, answer }) => {
    const host = hosts.create(body);
    hostAudit.created(identity, host);
    return answer(201, host);
  });

  mount(app, routes.testHost, async ({ body, answer }) => answer(200, await hosts.test(body)));

  mount(app, routes.patchHost, ({ params, body, identity, answer }) => {
    const host = hosts.patch(params.hostId, body);
    hostAudit.changed(identity, host.id, body);
    return answer(200, host);
  });

  mount(app, routes.deleteHost, ({ params, identity, answer }) => {
    hosts.remove(params.hostId);
    hostAudit.removed(identity, params.hostId);
    return answer(204);
  });
}
