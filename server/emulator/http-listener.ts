import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on 127.0.0.1 that can go and come back on its port. */
export class HttpListener {
  readonly #handle: RequestListener;
  #server: Server | null = null;
  #port: number;

  constructor(port: number, handle: RequestListener) {
    this.#port = port;
    this.#handle = handle;
  }

  get port(): number {
    return this.#port;
  }

  get isOpen(): boolean {
    return this.#server !== null;
  }

  async open(): Promise<void> {
    const server = createServer(this.#handle);
    // llama-swap's server has no time limits at all.
    server.keepAliveTimeout = 0;
    server.requestTimeout = 0;
    server.headersTimeout = 0;
    server.timeout = 0;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#server = server;
    this.#port = portOf(server.address());
  }

  /** Stops listening and drops every connection. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (!server) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string')
    throw new Error('the emulated host listens on no port');
  return address.port;
}
