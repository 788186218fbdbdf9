import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { type Socket, connect } from 'node:net';

/** A reverse proxy that serves one file as if another build had made it. */
export interface RewritingProxy {
  readonly origin: string;
  /** Appends a line to the service worker from now on: to a browser, another version of the app. */
  release(): void;
  close(): Promise<void>;
}

/** Starts it on a free port of 127.0.0.1 before the server at `targetPort`. */
export async function startRewritingProxy(targetPort: number): Promise<RewritingProxy> {
  let released = false;
  const sockets = new Set<Socket>();
  const server = createServer((incoming, response) => forward(incoming, response));

  function forward(incoming: IncomingMessage, response: ServerResponse): void {
    const isWorker = incoming.url === '/service-worker.js';
    // The whole file as it is: neither compressed, nor "not modified".
    const { 'if-none-match': _tag, 'if-modified-since': _time, ...asked } = incoming.headers;
    const headers = isWorker ? { ...asked, 'accept-encoding': 'identity' } : incoming.headers;
    const target = {
      port: targetPort,
      host: '127.0.0.1',
      method: incoming.method,
      path: incoming.url,
      headers,
    };
    const upstream = request(target, (reply) => {
      const { 'content-length': _length, etag: _etag, ...rest } = reply.headers;
      response.writeHead(reply.statusCode ?? 502, isWorker ? rest : reply.headers);
      reply.pipe(response, { end: false });
      reply.on('end', () => response.end(isWorker && released ? '\n// the next build\n' : ''));
    });
    upstream.on('error', () => response.destroy());
    incoming.pipe(upstream);
  }

  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (incoming, socket, head) => {
    const upstream = connect(targetPort, '127.0.0.1', () => {
      const lines = incoming.rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
      upstream.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('')}\r\n`);
      upstream.write(head);
      socket.pipe(upstream).pipe(socket);
    });
    for (const end of [socket, upstream]) {
      end.on('error', () => {
        socket.destroy();
        upstream.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('a TCP server has an address');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    release() {
      released = true;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
