import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/**
 * Strict Content-Security-Policy and the usual headers. Left out on purpose:
 * - `upgrade-insecure-requests` and HSTS break plain http on a LAN, and HSTS covers every port of a name, so it would
 *   also lock people out of the llama-swap beside Drover;
 * - Cross-Origin-Opener-Policy and Origin-Agent-Cluster over http: browsers ignore them there and log an error.
 */
export async function addSecurityHeaders(
  app: FastifyInstance,
  options: { readonly https: boolean },
): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        workerSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: options.https ? { policy: 'same-origin' } : false,
    originAgentCluster: false,
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
  });
}
