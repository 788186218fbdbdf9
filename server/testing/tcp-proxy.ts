import { type Socket, connect, createServer } from 'node:net';

/** A network cable between browser and server that a test can pull; an offline flag would leave open sockets alone. */
export interface TcpProxy {
  readonly port: number;
  /** Destroys every connection and refuses new ones. */
  cut(): void;
  /** Accepts connections again. */
  restore(): void;
  /** Keeps connections open but passes nothing on: a half-open link. */
  freeze(): void;
  /** Where connections go from now on (after a server restarted on another port). */
  retarget(port: number): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free port of 127.0.0.1 that passes bytes to `targetPort`. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let target = targetPort;
  let state: 'open' | 'cut' | 'frozen' = 'open';

  const server = createServer((client) => {
    if (state === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect({ host: '127.0.0.1', port: target });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => state === 'open' && to.write(bytes));
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('a TCP server has an address');

  function destroyAll(): void {
    for (const socket of sockets) socket.destroy();
  }

  return {
    port: address.port,
    cut() {
      state = 'cut';
      destroyAll();
    },
    restore() {
      state = 'open';
    },
    freeze() {
      state = 'frozen';
    },
    retarget(next) {
      target = next;
    },
    async close() {
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
