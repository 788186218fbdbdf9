import { statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Drover</title></head>
<body><h1>Drover is running, but its page is not built</h1>
<p>Run <code>npm run build</code> in Drover's folder and load this page again. <code>npm start</code> does it by itself.</p>
</body></html>`;

/** Serves the built client. `directory` may appear or change while the server runs. */
export async function serveClient(app: FastifyInstance, directory: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: directory,
    wildcard: false,
    serve: false,
    cacheControl: false,
    dotfiles: 'ignore',
    // The build leaves each file beside itself as gzip and Brotli.
    preCompressed: true,
    setHeaders: (reply, path) => {
      reply.header('cache-control', cachingOf(relative(directory, path)));
    },
  });

  app.get('/', async (_request, reply) => sendIndex(reply, directory));
  app.get('/*', async (request, reply) => {
    const path = decodePath(request);
    if (path !== null && path !== 'index.html' && isFile(join(directory, path))) {
      return reply.sendFile(path);
    }
    // The service worker fetches it by name, and not as a navigation: without it nothing works offline.
    if (path === 'index.html') return sendIndex(reply, directory);
    if (!isNavigation(request)) return reply.callNotFound();
    return sendIndex(reply, directory);
  });
}

/** Files that the build names by their content never change; everything else is asked for again each time. */
function cachingOf(path: string): string {
  return path.startsWith(`assets${sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/** The single-page app answers addresses a person opens, never a missing file or an API call. */
function isNavigation(request: FastifyRequest): boolean {
  const path = request.url.split('?')[0] ?? '';
  if (/^\/(api|sync|v1|assets)(\/|$)/.test(path)) return false;
  const mode = request.headers['sec-fetch-mode'];
  if (mode !== undefined && mode !== 'navigate') return false;
  return request.headers.accept?.includes('text/html') === true;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function decodePath(request: FastifyRequest): string | null {
  const path = (request.url.split('?')[0] ?? '').replace(/^\/+/, '');
  try {
    const decoded = decodeURIComponent(path);
    return decoded === '' || decoded.includes('\0') || decoded.split('/').includes('..') ? null : decoded;
  } catch {
    return null;
  }
}

function sendIndex(reply: FastifyReply, directory: string): FastifyReply {
  if (isFile(join(directory, 'index.html'))) return reply.sendFile('index.html');
  return reply.code(503).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(NOT_BUILT);
}
