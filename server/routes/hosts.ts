import type { FastifyInstance } from 'fastify';
import { routes } from '#shared/http/routes.ts';
import { mount } from '../plugins/zod.ts';
import type { HostService } from '../services/host-service.ts';

/** The registry of hosts and the Test button. */
export function hostRoutes(app: FastifyInstance, options: { readonly hosts: HostService }): void {
  const { hosts } = options;

  mount(app, routes.listHosts, ({ answer }) => answer(200, { hosts: [...hosts.list()] }));

  mount(app, routes.createHost, ({ body, answer }) => answer(201, hosts.create(body)));

  mount(app, routes.testHost, async ({ body, answer }) => answer(200, await hosts.test(body)));

  mount(app, routes.patchHost, ({ params, body, answer }) => answer(200, hosts.patch(params.hostId, body)));

  mount(app, routes.deleteHost, ({ params, answer }) => {
    hosts.remove(params.hostId);
    return answer(204);
  });
}
