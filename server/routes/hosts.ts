import type { FastifyInstance } from 'fastify';
import { routes } from '#shared/http/routes.ts';
import { mount } from '../plugins/zod.ts';
import type { HostService } from '../services/host-service.ts';

/** What the routes need. */
export interface HostRoutesOptions {
  readonly hosts: HostService;
}

/** The registry of hosts and the Test button. */
export function hostRoutes(app: FastifyInstance, options: HostRoutesOptions): void {
  const { hosts } = options;

  mount(app, routes.listHosts, ({ answer }) => answer(200, { hosts: [...hosts.list()] }));

  mount(app, routes.createHost, ({ body, identity, answer }) => answer(201, hosts.create(body, identity)));

  mount(app, routes.testHost, async ({ body, answer }) => answer(200, await hosts.test(body)));

  mount(app, routes.patchHost, ({ params, body, identity, answer }) =>
    answer(200, hosts.patch(params.hostId, body, identity)),
  );

  mount(app, routes.deleteHost, ({ params, identity, answer }) => {
    hosts.remove(params.hostId, identity);
    return answer(204);
  });
}
