import type { FastifyInstance, FastifyRequest } from 'fastify';
import { routes } from '#shared/http/routes.ts';
import { SESSION_COOKIE } from '../plugins/auth.ts';
import { mount } from '../plugins/zod.ts';
import { SESSION_MAX_MS } from '../domain/session-policy.ts';
import type { AuthService } from '../services/auth-service.ts';

/** Pairing, signing out and API keys. */
export function accessRoutes(
  app: FastifyInstance,
  options: { readonly auth: AuthService; readonly publicUrl: string | null },
): void {
  const { auth } = options;

  mount(app, routes.pair, ({ body, answer, request, reply }) => {
    const { device, session } = auth.pair(body, request.ip);
    reply.setCookie(SESSION_COOKIE, session, {
      ...cookieScope(request, options.publicUrl),
      maxAge: SESSION_MAX_MS / 1000,
    });
    return answer(200, { device });
  });

  mount(app, routes.signOut, ({ identity, answer, request, reply }) => {
    auth.signOut(identity);
    reply.clearCookie(SESSION_COOKIE, cookieScope(request, options.publicUrl));
    return answer(204);
  });

  mount(app, routes.listKeys, ({ answer }) => answer(200, { keys: [...auth.listKeys()] }));

  mount(app, routes.createKey, ({ body, answer }) => answer(201, auth.createKey(body)));

  mount(app, routes.revokeKey, ({ params, answer }) => {
    auth.revokeKey(params.id);
    return answer(204);
  });
}

/** `Secure` wherever the browser came over https, also when a proxy ended it and sends no forwarding headers. */
function cookieScope(request: FastifyRequest, publicUrl: string | null) {
  const behindHttps = publicUrl?.startsWith('https:') === true && request.headers.origin === publicUrl;
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: request.protocol === 'https' || behindHttps,
  } as const;
}
