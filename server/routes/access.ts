import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { routes } from '#shared/http/routes.ts';
import { SESSION_COOKIE } from '../plugins/auth.ts';
import { mount } from '../plugins/zod.ts';
import { actorOf } from '../domain/audit-log.ts';
import { SESSION_MAX_MS } from '../domain/session-policy.ts';
import type { AuthService } from '../services/auth-service.ts';
import type { DeviceService } from '../services/device-service.ts';
import type { PairingService, PairOutcome } from '../services/pairing-service.ts';
import type { Applicant } from '../services/pairing-steps.ts';
import { qrSvg } from '../services/qr-code.ts';

/** What the routes need. */
export interface AccessRoutesOptions {
  readonly auth: AuthService;
  readonly pairing: PairingService;
  readonly devices: DeviceService;
  readonly publicUrl: string | null;
  /** Address for other machines on the network; null when only this one can connect. */
  readonly lanUrl: () => string | null;
}

/** Pairing, devices, signing out and API keys. */
export function accessRoutes(app: FastifyInstance, options: AccessRoutesOptions): void {
  const { auth, pairing, devices } = options;

  const admit = (
    outcome: Extract<PairOutcome, { kind: 'paired' }>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    reply.setCookie(SESSION_COOKIE, outcome.session, {
      ...cookieScope(request, options.publicUrl),
      maxAge: SESSION_MAX_MS / 1000,
    });
    return { device: outcome.device };
  };

  mount(app, routes.pair, ({ body, answer, request, reply }) => {
    const outcome = pairing.pair(body, applicant(request));
    return outcome.kind === 'paired' ? answer(200, admit(outcome, request, reply)) : answer(202, outcome);
  });

  mount(app, routes.pollPairing, ({ body, answer, request, reply }) => {
    const outcome = pairing.poll(body.requestId, applicant(request));
    return outcome.kind === 'paired' ? answer(200, admit(outcome, request, reply)) : answer(202, outcome);
  });

  mount(app, routes.createPairingCode, async ({ body, identity, answer, request }) => {
    const { code, expiresAt } = pairing.createCode(identity, body.role);
    const url = `${baseUrl(request, options)}/#pair=${code}`;
    return answer(200, { code, url, expiresAt, qrSvg: await qrSvg(url) });
  });

  mount(app, routes.listPairingRequests, ({ identity, answer }) =>
    answer(200, { requests: [...pairing.requests(identity)] }),
  );

  mount(app, routes.decidePairing, ({ params, body, identity, answer }) => {
    pairing.decide(identity, params.id, body);
    return answer(204);
  });

  mount(app, routes.listDevices, ({ identity, answer }) =>
    answer(200, { devices: [...devices.list(identity)] }),
  );

  mount(app, routes.patchDevice, ({ params, body, identity, answer }) =>
    answer(200, devices.patch(identity, params.id, body)),
  );

  mount(app, routes.revokeDevice, ({ params, identity, answer }) => {
    devices.revoke(identity, params.id);
    return answer(204);
  });

  mount(app, routes.signOut, ({ identity, answer, request, reply }) => {
    auth.signOut(identity);
    reply.clearCookie(SESSION_COOKIE, cookieScope(request, options.publicUrl));
    return answer(204);
  });

  mount(app, routes.listKeys, ({ answer }) => answer(200, { keys: [...auth.listKeys()] }));

  mount(app, routes.createKey, ({ body, identity, answer }) =>
    answer(201, auth.createKey(body, actorOf(identity))),
  );

  mount(app, routes.revokeKey, ({ params, identity, answer }) => {
    auth.revokeKey(params.id, actorOf(identity));
    return answer(204);
  });
}

function applicant(request: FastifyRequest): Applicant {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
}

/** Where the new device finds this server: a page open on this very machine knows only its loopback address. */
function baseUrl(request: FastifyRequest, options: AccessRoutesOptions): string {
  const own = `${request.protocol}://${request.host}`;
  const isLoopback = /^(localhost|127\.[0-9.]+|\[::1\])(:\d+)?$/i.test(request.host);
  return options.publicUrl ?? (isLoopback ? options.lanUrl() : null) ?? own;
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
