import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https';
import type { FastifyInstance } from 'fastify';
import type { TlsFiles } from './tls.ts';

const LIMITS = {
  /** For a peer that sends its request a byte at a time. */
  requestTimeout: 30_000,
  /**
   * Longer than a reverse proxy keeps idle connections (60 s for most): with Node's 5 s the server hangs up in the very
   * moment the proxy sends the next request, and the browser sees a 502.
   */
  keepAliveTimeout: 72_000,
} as const;

/** A server factory for Fastify: https with a certificate, else http. */
export function serverFactory(tls: TlsFiles | null): (handle: RequestListener) => Server {
  return (handle) =>
    tls === null
      ? createHttpServer(LIMITS, handle)
      : createHttpsServer({ ...LIMITS, cert: tls.cert, key: tls.key }, handle);
}

/** Uses another certificate for the next connections of an https server. */
export function replaceCertificate(server: unknown, tls: TlsFiles): void {
  if (server instanceof HttpsServer) server.setSecureContext({ cert: tls.cert, key: tls.key });
}

/** Listens, and returns the port that was taken. */
export async function listen(
  app: FastifyInstance,
  at: { readonly host: string; readonly port: number },
): Promise<number> {
  await app.listen({ host: at.host, port: at.port });
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : at.port;
}
