import type { FastifyInstance, FastifyRequest } from 'fastify';
import { roleAllows } from '#shared/schemas/auth.ts';
import type { Authenticator, AuthRefusal, Credentials, Identity } from '../domain/identity.ts';
import type { Clock } from '../domain/ports.ts';
import { AppError } from '../errors.ts';

/** Name of the session cookie. */
export const SESSION_COOKIE = 'drover_session';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null without valid credentials. Set before any route runs. */
    identity: Identity | null;
  }
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Credentials of a request. A presented key stands alone: with it the session is not looked at, because a key skips
 * the Origin check, and a page of another origin must not ride on the cookie by adding a key that is wrong.
 */
export function readCredentials(request: FastifyRequest): Credentials {
  const key = presentedKey(request);
  if (key !== null) return { session: null, key };
  return { session: request.cookies[SESSION_COOKIE] ?? null, key: null };
}

/** True when the request asks for a WebSocket. */
export function isUpgrade(request: FastifyRequest): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket';
}

/** The key of the `Authorization` header or, on sockets only, of `?key=`: right or wrong, null when none was sent. */
export function presentedKey(request: FastifyRequest): string | null {
  const bearer = /^bearer\s+(.*)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer.trim();
  if (!isUpgrade(request)) return null;
  return new URLSearchParams(request.raw.url?.split('?')[1] ?? '').get('key');
}

const answers = new WeakMap<FastifyRequest, Identity | AuthRefusal>();

/** Who sends a request, asked of the store once for each: the next one after a revocation is refused. */
export function identify(
  request: FastifyRequest,
  { authenticator, clock }: Pick<AuthOptions, 'authenticator' | 'clock'>,
): Identity | AuthRefusal {
  const known = answers.get(request);
  if (known !== undefined) return known;
  const who = authenticator.authenticate(readCredentials(request), clock.now());
  answers.set(request, who);
  return who;
}

/** What the guards need to know of the server. */
export interface AuthOptions {
  readonly authenticator: Authenticator;
  readonly clock: Clock;
  readonly publicUrl: string | null;
}

/**
 * Identifies every request and guards every route: Origin first, then the role its contract asks for. A route under
 * `/api` that declares no access cannot be mounted.
 */
export function guardRoutes(app: FastifyInstance, options: AuthOptions): void {
  app.decorateRequest('identity', null);

  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/api/') && route.config?.access === undefined) {
      throw new Error(`${String(route.method)} ${route.url} declares no access`);
    }
  });

  app.addHook('onRequest', async (request) => {
    const access = request.routeOptions.config.access;
    const checksOrigin = access !== undefined || isUpgrade(request) || !SAFE_METHODS.has(request.method);
    if (checksOrigin && !originAllowed(request, options.publicUrl)) {
      throw new AppError('bad_origin', foreignOriginText(request));
    }
    if (access === undefined) return;
    const who = identify(request, options);
    if (typeof who === 'string') {
      if (access !== 'public') throw new AppError('unauthenticated', refusalText(who));
      return;
    }
    request.identity = who;
    if (access !== 'public' && !roleAllows(who.role, access)) {
      throw new AppError('forbidden', `This needs the role ${access}; yours is ${who.role}.`);
    }
  });
}

/** Absent is allowed (no browser); present must be the public address or the one this request came to. */
export function originAllowed(request: FastifyRequest, publicUrl: string | null): boolean {
  const { origin } = request.headers;
  if (origin === undefined || presentedKey(request) !== null) return true;
  const given = normalOrigin(origin);
  if (given === null) return false;
  return given === publicUrl || given === normalOrigin(`${request.protocol}://${request.host}`);
}

/** Whoever reads this is a person behind a proxy that Drover was not told of: a foreign page cannot read it. */
function foreignOriginText(request: FastifyRequest): string {
  const given = normalOrigin(request.headers.origin ?? '');
  const text = 'This request comes from a page of another address.';
  return given === null
    ? text
    : `${text} If Drover is meant to be at ${given}, behind a proxy or Tailscale, start it with DROVER_PUBLIC_URL=${given}.`;
}

function normalOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { origin } = new URL(text);
  return origin === 'null' ? null : origin;
}

function refusalText(why: AuthRefusal): string {
  switch (why) {
    case 'missing':
      return 'Sign in first: pair this device, or send an API key.';
    case 'expired':
      return 'This session or key is not valid, or it ran out: pair this device again.';
    case 'revoked':
      return 'This device or key was revoked.';
  }
}
