import type { Socket } from 'node:net';
import { constants as zlib } from 'node:zlib';
import fastifyCompress from '@fastify/compress';
import fastifyCookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Authenticator } from './domain/identity.ts';
import type { Clock, Log } from './domain/ports.ts';
import { redactUrl } from './domain/redact-url.ts';
import { serverFactory } from './http-server.ts';
import { guardRoutes } from './plugins/auth.ts';
import { describeError, handleErrors, unknownRoute } from './plugins/error-handler.ts';
import { addSecurityHeaders } from './plugins/security-headers.ts';
import { spreadRequests } from './plugins/spread-requests.ts';
import { serveClient } from './plugins/static-client.ts';
import { limitStrangers } from './plugins/stranger-limit.ts';
import { useZod } from './plugins/zod.ts';
import type { TlsFiles } from './tls.ts';

/** Bodies of this API are small; the largest is a host with its key. */
const BODY_LIMIT_BYTES = 256 * 1024;
/** Brotli's default, 11, takes a second of CPU for the app's largest file; 5 makes it a tenth larger, at once. */
const BROTLI_QUALITY = 5;

/** What the frame around the routes needs. */
export interface AppOptions {
  readonly authenticator: Authenticator;
  readonly clock: Clock;
  readonly log: Log;
  readonly publicUrl: string | null;
  readonly trustProxy: boolean | readonly string[];
  /** Certificate and key (PEM) to serve https with; null for http. */
  readonly tls: TlsFiles | null;
  /** The built client. */
  readonly clientDir: string;
  /** Mounts the API on the guarded instance. */
  readonly mountRoutes: (app: FastifyInstance) => void | Promise<void>;
}

/** Builds the HTTP server and never listens: headers, guards, the routes given, the client, one shape of errors. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const app = createFastify(options);
  const mounted = recordRoutes(app);
  spreadRequests(app);
  app.addHook('onResponse', async (request, reply) => {
    if (request.method !== 'GET' || reply.statusCode >= 400) {
      options.log.info(
        {
          method: request.method,
          url: redactUrl(request.url),
          status: reply.statusCode,
          durationMs: Math.round(reply.elapsedTime),
          by: request.identity?.id ?? null,
        },
        'request',
      );
    }
  });

  handleErrors(app, options.log);
  useZod(app);
  const https = options.tls !== null || options.publicUrl?.startsWith('https:') === true;
  await addSecurityHeaders(app, { https });
  await app.register(fastifyCookie);
  guardRoutes(app, options);
  await limitStrangers(app, options);
  await app.register(fastifyCompress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  });

  app.addHook('onSend', async (request, reply) => {
    // What a role may see must not be kept by anything between; routes with their own rule have set it already.
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) {
      reply.header('cache-control', 'no-store');
    }
  });

  await options.mountRoutes(app);
  await serveClient(app, options.clientDir);

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    if (!/^\/(api|v1)(\/|$)/.test(path)) {
      return reply.code(404).type('text/plain; charset=utf-8').send('There is nothing at this address.\n');
    }
    const { error, allow } = unknownRoute(request, mounted(path));
    if (allow !== null) reply.header('allow', allow);
    throw error;
  });
  return app;
}

function createFastify(options: AppOptions): FastifyInstance {
  return Fastify({
    // Requests are logged by the hook above, through our own log, which redacts.
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: typeof options.trustProxy === 'boolean' ? options.trustProxy : [...options.trustProxy],
    // Sockets and kept-alive connections must not hold up a stop.
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 2048 },
    serverFactory: serverFactory(options.tls),
    // An address that cannot even be routed, such as one with a broken escape.
    frameworkErrors: (error, _request, reply) => {
      const { status, body } = describeError(error);
      reply.raw.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
      reply.raw.end(JSON.stringify(body));
    },
    clientErrorHandler: refuseMalformed,
  });
}

/** Bytes that are no HTTP request are answered in the API's own shape, where the socket still takes an answer. */
function refuseMalformed(error: { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error: { code: 'bad_request', message: 'This is not an HTTP request.' } });
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Remembers what is mounted; the returned function names the methods offered at a path. */
function recordRoutes(app: FastifyInstance): (path: string) => readonly string[] {
  const mounted: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/api/')) return;
    const pattern = new RegExp(
      `^${route.url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z]+/g, '[^/]+')}$`,
    );
    mounted.push({ pattern, methods: [route.method].flat() });
  });
  return (path) => [
    ...new Set(mounted.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods)),
  ];
}
