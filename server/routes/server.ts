import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { routes } from '#shared/http/routes.ts';
import { PROTOCOL_VERSION } from '#shared/protocol-version.ts';
import type { DocumentSource } from '#sync/shared-document.ts';
import type { Clock } from '../domain/ports.ts';
import { presentedKey } from '../plugins/auth.ts';
import { mount } from '../plugins/zod.ts';
import type { DemoService } from '../services/demo-service.ts';
import type { FirstRunService } from '../services/first-run.ts';
import type { HealthService } from '../services/health-service.ts';
import type { OutboxService } from '../services/outbox-service.ts';

/** What the routes about the server itself need. */
export interface ServerRoutesOptions {
  readonly version: string;
  /** Differs between any two running servers: how one that finds a Drover knows whether it found itself. */
  readonly instance: string;
  readonly clock: Clock;
  readonly documents: DocumentSource;
  readonly outboxes: Pick<OutboxService, 'nameOf'>;
  readonly capabilities: readonly string[];
  readonly health: HealthService;
  /** What `drover doctor` shows that it may read the data directory: it opens this one answer. Null: nothing does. */
  readonly doctorKey: string | null;
  readonly demo: DemoService;
  readonly firstRun: FirstRunService;
}

/** What the server is, how it is, and its first steps. */
export function serverRoutes(app: FastifyInstance, options: ServerRoutesOptions): void {
  mount(app, routes.info, ({ identity, answer, reply }) => {
    reply.header('x-drover-instance', options.instance);
    const outbox = identity === null ? null : options.outboxes.nameOf(identity);
    return answer(200, {
      version: options.version,
      protocol: PROTOCOL_VERSION,
      serverTime: options.clock.now(),
      syncPath: '/sync',
      documents: { ...options.documents.names(), ...(outbox === null ? {} : { outbox }) },
      capabilities: [...options.capabilities],
      ...(identity === null ? {} : { role: identity.role }),
      ...(identity?.kind === 'device' ? { device: { id: identity.id, label: identity.label } } : {}),
    });
  });

  mount(app, routes.health, ({ identity, answer, request }) => {
    const { status, checkedAt, checks } = options.health.report();
    const isKnown = identity !== null || isDoctor(presentedKey(request), options.doctorKey);
    return answer(200, isKnown ? { status, checkedAt, checks: [...checks] } : { status });
  });

  mount(app, routes.startDemo, async ({ answer }) =>
    answer(200, { hosts: [...(await options.demo.turnOn())] }),
  );

  mount(app, routes.stopDemo, async ({ answer }) => {
    await options.demo.turnOff();
    return answer(204);
  });

  mount(app, routes.firstRun, async ({ answer }) => answer(200, await options.firstRun.look()));
}

function isDoctor(presented: string | null, key: string | null): boolean {
  if (presented === null || key === null) return false;
  const [one, other] = [Buffer.from(presented), Buffer.from(key)];
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}
