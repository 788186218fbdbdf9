import type { FastifyInstance } from 'fastify';
import { routes } from '#shared/http/routes.ts';
import { roleAllows } from '#shared/schemas/auth.ts';
import { AppError } from '../errors.ts';
import { INTENT_REGISTRY } from '../intent-kinds/registry.ts';
import { mount } from '../plugins/zod.ts';
import type { IntentService } from '../services/intent-service.ts';

/** Intents over HTTP: the same ledger, line and executors as those from an outbox. */
export function intentRoutes(app: FastifyInstance, options: { readonly intents: IntentService }): void {
  const { intents } = options;

  mount(app, routes.createIntent, ({ body, identity, answer }) => {
    const needed = INTENT_REGISTRY[body.kind].role;
    if (!roleAllows(identity.role, needed)) {
      throw new AppError('forbidden', `This needs the role ${needed}; yours is ${identity.role}.`);
    }
    const received = intents.submit(body, identity);
    if (!('view' in received))
      throw new AppError('conflict', 'This id belongs to an intent of somebody else.');
    const { id, state } = received.view;
    return received.outcome === 'new' ? answer(202, { id, state }) : answer(200, { id, state });
  });

  mount(app, routes.getIntent, ({ params, answer }) => {
    const view = intents.view(params.id);
    if (view === null) throw unknownIntent();
    return answer(200, view);
  });

  mount(app, routes.noteIntent, ({ params, body, identity, answer }) => {
    const noted = intents.note(params.id, body.text, identity);
    switch (noted.outcome) {
      case 'noted':
        return answer(200, noted.view);
      case 'refused':
        throw new AppError(
          'conflict',
          'A note resolves what ended unknown; of this one the outcome is known.',
        );
      case 'not_found':
        throw unknownIntent();
    }
  });

  mount(app, routes.cancelIntent, ({ params, identity, answer }) => {
    // A cancel is kept for an intent to come only where both travel in one outbox.
    if (intents.view(params.id) === null) throw unknownIntent();
    const cancelled = intents.cancel(params.id, identity);
    switch (cancelled.outcome) {
      case 'cancelled':
        return answer(200, cancelled.view);
      case 'refused':
        throw new AppError(cancelled.code, REFUSED[cancelled.code]);
      case 'kept':
        throw unknownIntent();
    }
  });
}

const REFUSED = {
  already_claimed:
    'Too late: it is claimed already. To stop a load, unload its model and name this intent as replaced.',
  already_ended: 'Too late: it has ended already.',
} as const;

function unknownIntent(): AppError {
  return new AppError('not_found', 'There is no such intent.');
}
