import fastifyWebsocket from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { Credentials } from '../domain/identity.ts';
import { readCredentials } from '../plugins/auth.ts';
import type { SyncSocket } from '../services/kept-socket.ts';
import type { SyncServer } from '../services/sync-server.ts';

/** Longest frame that is read at all; the session refuses far smaller ones with a code. */
const MAX_PAYLOAD_BYTES = 1024 * 1024;

/** What `ws` calls a frame over that: it is not read, and the socket is closed with 1009, after which clients come back. */
const TOO_LONG = 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';

/** What the socket endpoint needs. */
export interface SyncRouteOptions {
  readonly sync: SyncServer;
}

/**
 * Mounts `/sync/:document`. Await it before other routes are mounted: the plugin must see them, to refuse an upgrade on
 * one that is no socket. A bad `Origin` was answered 403 by the guard before the upgrade; bad credentials are not, but
 * upgraded and closed 4401, because a y-websocket client would retry an HTTP 401 for ever.
 */
export async function mountSync(app: FastifyInstance, options: SyncRouteOptions): Promise<void> {
  await app.register(fastifyWebsocket, {
    options: { maxPayload: MAX_PAYLOAD_BYTES, perMessageDeflate: false },
    // An unclean end is an everyday event, and the close event follows.
    errorHandler: (_error, socket) => socket.terminate(),
    // The plugin's own would close every socket at once and without a code.
    preClose: () => options.sync.stop(),
  });
  // Node hands a socket over when it sees `Upgrade`, whatever the answer is then. The plugin destroys it after an answer
  // of a route, but does not know of one that a guard gave before its own hook ran.
  app.addHook('onResponse', async (request) => {
    if (request.headers.upgrade !== undefined) request.raw.socket.destroySoon();
  });
  app.route<{ Params: { document: string } }>({
    method: 'GET',
    url: '/sync/:document',
    handler: (_request, reply) =>
      reply
        .code(426)
        .header('upgrade', 'websocket')
        .type('text/plain; charset=utf-8')
        .send('A WebSocket lives here.\n'),
    wsHandler: (socket, request) => attach(options.sync, socket, request),
  });
}

function attach(
  sync: SyncServer,
  socket: WebSocket,
  request: FastifyRequest<{ Params: { document: string } }>,
): void {
  const credentials: Credentials = readCredentials(request);
  const peer = sync.connect(asSyncSocket(socket), { document: request.params.document, credentials });
  if (!peer) return;
  socket.on('message', (data, isBinary) => {
    peer.receive(isBinary && Buffer.isBuffer(data) ? data : null);
  });
  socket.on('error', (error) => {
    if ('code' in error && error.code === TOO_LONG) peer.oversized();
  });
  socket.on('pong', () => peer.heard());
  socket.on('close', () => peer.closed());
}

function asSyncSocket(socket: WebSocket): SyncSocket {
  return {
    send: (frame) => socket.send(frame),
    ping: () => socket.ping(),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
  };
}
