import type { LlamaSwap } from './llama-swap.ts';
import { apiRoutes } from './routes/api-routes.ts';
import { logRoutes } from './routes/log-routes.ts';
import { modelRoutes } from './routes/model-routes.ts';
import { findRoute } from './routes/route.ts';
import type { Route } from './routes/route.ts';
import { errorAnswer, methodNotAllowed, notFound, redirect } from './wire/answer.ts';
import { isAuthorized } from './wire/auth.ts';
import { goDuration } from './wire/go-format.ts';
import type { HttpExchange } from './wire/http-exchange.ts';
import type { EraTraits } from './era.ts';

/** Answers a request as the running llama-swap; resolves when a handler is done (streams go on). */
export type Dispatch = (host: LlamaSwap, exchange: HttpExchange) => Promise<void>;

/** The routing of an era: routes, keys, wrong methods, CORS, access lines. */
export function makeDispatch(traits: EraTraits): Dispatch {
  const routes: readonly Route[] = [...modelRoutes(traits), ...apiRoutes(traits), ...logRoutes()];
  return async (host, exchange) => {
    const { pathname } = exchange.url;
    logAccess(host, exchange);
    allowOrigins(traits, exchange);
    if (exchange.method === 'OPTIONS') return preflight(exchange);
    if (traits.server === 'mux' && /\/\/|\/\.\.?(\/|$)/.test(exchange.request.url?.split('?')[0] ?? '')) {
      return exchange.send(redirect(pathname.replace(/\/{2,}/g, '/'), 301));
    }
    const isHead = exchange.method === 'HEAD' && traits.server === 'mux';
    const found = findRoute(routes, isHead ? 'GET' : exchange.method, pathname);
    if (!('route' in found)) {
      if (exchange.method === 'HEAD') return exchange.sendBare(404);
      if (found.allow.length === 0) return exchange.send(notFound(traits));
      const allow = found.allow.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      return exchange.send(methodNotAllowed(traits, [...new Set(allow)].join(', ')));
    }
    if (found.route.auth && !authorized(host, exchange)) {
      return exchange.send(
        errorAnswer(traits, exchange.accept, {
          status: 401,
          message: 'unauthorized: invalid or missing API key',
        }),
        { 'WWW-Authenticate': 'Basic realm="llama-swap"' },
      );
    }
    await found.route.handle({ host, exchange, rest: found.rest });
  };
}

function authorized(host: LlamaSwap, exchange: HttpExchange): boolean {
  return isAuthorized(host.traits, host.config.apiKeys, {
    authorization: exchange.header('authorization'),
    apiKey: exchange.header('x-api-key'),
  });
}

function preflight(exchange: HttpExchange): void {
  exchange.send(
    { status: 204, headers: {}, body: '' },
    {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
      'Access-Control-Allow-Headers': 'Content-Type, Authorization, Accept, X-Requested-With',
      'Access-Control-Max-Age': '86400',
    },
  );
}

function allowOrigins(traits: EraTraits, exchange: HttpExchange): void {
  if (!traits.allowAnyOrigin || exchange.header('origin') === null || exchange.method === 'OPTIONS') return;
  exchange.response.setHeader('Access-Control-Allow-Origin', '*');
}

/** Every request but a few is a log line when it ends, and so comes back to every listener of the log. */
function logAccess(host: LlamaSwap, exchange: HttpExchange): void {
  const { pathname } = exchange.url;
  const { traits, time, logs } = host;
  const unlogged =
    (traits.wolHealth && pathname.startsWith('/wol-health')) ||
    (traits.performance !== 'none' &&
      (pathname.startsWith('/api/performance') || pathname.startsWith('/metrics')));
  if (unlogged) return;
  exchange.response.on('close', () => {
    const took = goDuration(time.precise() - exchange.startedAt);
    const agent = exchange.header('user-agent') ?? '';
    const { method, status, bytes } = exchange;
    logs.write(
      traits.logs.accessLines,
      `[INFO] Request ${exchange.remoteIp} "${method} ${pathname} HTTP/1.1" ${status} ${bytes} "${agent}" ${took}\n`,
    );
  });
}
