import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readConnections, readExchanges, type RecordedExchange } from './recordings.ts';

/** A real server that answers as a test says; `requests` are the paths asked for, in order. */
export interface TestHost {
  readonly url: string;
  readonly requests: readonly string[];
  /** Headers of every request, in order. */
  readonly headers: readonly IncomingMessage['headers'][];
  close(): Promise<void>;
}

/** Serves `handle` on a free port of the loopback interface. */
export async function startTestHost(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<TestHost> {
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    headers.push(request.headers);
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = readAddress(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    headers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * A host that answers with the recorded bytes of a version: `/api/events` plays the first connection and stays open,
 * paths that were not recorded answer as that version answers an unknown one.
 */
export function startRecordedHost(version: string): Promise<TestHost> {
  const exchanges = readExchanges(version);
  const [connection] = readConnections(version);
  const find = (accepts: (path: string) => boolean) =>
    exchanges.find(({ request, response }) => {
      return (
        request.method === 'GET' && accepts(request.path) && isAnswer(response) && response.status !== 401
      );
    })?.response;
  return startTestHost((request, response) => {
    const url = request.url ?? '';
    if (url === '/api/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const chunk of connection?.chunks ?? []) response.write(chunk);
      return;
    }
    const [pathname] = url.split('?');
    const sorted = url.includes('sort=src') ? find((path) => path.endsWith('?sort=nope')) : undefined;
    const recorded =
      sorted ??
      find((path) => path === url) ??
      find((path) => path.split('?')[0] === pathname && !path.includes('nonsense')) ??
      find((path) => path === '/api/nope');
    const type = recorded?.headers?.['content-type'];
    if (type) response.setHeader('content-type', type);
    response.writeHead(recorded?.status ?? 404);
    response.end(recorded?.body ?? '');
  });
}

function isAnswer(
  response: RecordedExchange['response'],
): response is NonNullable<RecordedExchange['response']> {
  return response?.status !== undefined && response.status !== null;
}

function readAddress(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a port');
  return address;
}
