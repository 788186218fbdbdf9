import Fastify, { type FastifyInstance } from 'fastify';
import { ERROR_STATUS } from '#shared/schemas/error.ts';
import { serverFactory } from './http-server.ts';
import { addSecurityHeaders } from './plugins/security-headers.ts';
import type { TlsFiles } from './tls.ts';

/** What the page says. */
export interface StoreFailurePage {
  /** What is wrong and what to do, in sentences for a person. Nothing here may be secret: nobody has signed in. */
  readonly remedy: string;
  readonly tls: TlsFiles | null;
}

/**
 * Answers while the data directory cannot be opened, so that whoever opens Drover reads what to do instead of finding
 * nothing, and no supervisor restarts it in a loop. Nobody can sign in: the sessions are in what cannot be opened.
 */
export async function buildStoreFailurePage({ remedy, tls }: StoreFailurePage): Promise<FastifyInstance> {
  const app = Fastify({ logger: false, forceCloseConnections: true, serverFactory: serverFactory(tls) });
  await addSecurityHeaders(app, { https: tls !== null });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store').header('retry-after', '5');
  });
  app.get('/api/health', () => ({ status: 'failed' }));
  app.setNotFoundHandler((request, reply) => {
    reply.code(ERROR_STATUS.store_unavailable);
    if (/^\/(api|sync|v1)(\/|$)/.test(request.url)) {
      return reply.send({ error: { code: 'store_unavailable', message: remedy } });
    }
    return reply.type('text/html; charset=utf-8').send(pageOf(remedy));
  });
  return app;
}

function pageOf(remedy: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="10"><title>Drover cannot open its data</title></head>
<body><h1>Drover runs, but cannot open its data</h1><p>${escapeHtml(remedy)}</p>
<p>It tries again every few seconds; this page follows by itself. Models and hosts are not affected.</p></body></html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
