import fastifyCookie from '@fastify/cookie';
import Fastify from 'fastify';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../adapters/system-clock.ts';
import type { Identity } from '../domain/identity.ts';
import { guardRoutes } from '../plugins/auth.ts';
import { handleErrors } from '../plugins/error-handler.ts';
import { mountSync } from '../routes/sync.ts';
import { LiveHub } from '../services/live-hub.ts';
import { SyncServer } from '../services/sync-server.ts';
import type { SyncLimits } from '../services/sync-server.ts';
import { memoryAuthenticator } from './memory-authenticator.ts';
import type { MemoryAuthenticator } from './memory-authenticator.ts';
import { memoryDocuments } from './memory-documents.ts';
import type { MemoryDocuments } from './memory-documents.ts';
import { silentLog } from './silent-log.ts';

/** A viewer's key in {@link buildSyncWorld}. */
export const VIEWER_KEY = 'drv_viewer';
/** An admin's session in {@link buildSyncWorld}. */
export const ADMIN_SESSION = 'session-of-admin';

const viewer: Identity = { kind: 'key', id: 'key-viewer', label: 'ci', role: 'viewer' };
const admin: Identity = { kind: 'device', id: 'dev-admin', label: 'laptop', role: 'admin' };

/** A sync server on a real socket. */
export interface SyncWorld {
  /** `ws://127.0.0.1:…/sync`. */
  readonly url: string;
  readonly port: number;
  readonly documents: MemoryDocuments;
  readonly authenticator: MemoryAuthenticator;
  readonly live: LiveHub;
  readonly sync: SyncServer;
  /** A raw socket on a document, with the viewer's key. */
  readonly connect: (
    document: string,
    options?: { key?: string; headers?: Record<string, string> },
  ) => RawClient;
  readonly stop: () => Promise<void>;
}

/** A socket that keeps what it receives. */
export interface RawClient {
  readonly socket: WebSocket;
  readonly frames: Uint8Array[];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly opened: Promise<void>;
}

/** Starts a Fastify app with the guards and the sync route on any free port; it ends with the test. */
export async function buildSyncWorld(limits: Partial<SyncLimits> = {}): Promise<SyncWorld> {
  const documents = memoryDocuments();
  const authenticator = memoryAuthenticator({ [VIEWER_KEY]: viewer, [ADMIN_SESSION]: admin });
  const live = new LiveHub({ clock: systemClock });
  const log = silentLog();
  const sync = new SyncServer({
    documents,
    authenticator,
    live,
    clock: systemClock,
    log,
    limits: { staggerMs: 20, ...limits },
  });
  const app = Fastify({ forceCloseConnections: true });
  handleErrors(app, log);
  await app.register(fastifyCookie);
  guardRoutes(app, { authenticator, clock: systemClock, publicUrl: 'https://drover.example' });
  await mountSync(app, { sync });
  app.get('/plain', () => 'plain');
  sync.start();
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  const sockets = new Set<WebSocket>();
  const stop = async (): Promise<void> => {
    live.stop();
    for (const socket of sockets) socket.terminate();
    await app.close();
  };
  onTestFinished(stop);
  const url = `ws://127.0.0.1:${port}/sync`;
  return {
    url,
    port,
    documents,
    authenticator,
    live,
    sync,
    stop: () => app.close(),
    connect(document, options = {}) {
      const key = options.key ?? VIEWER_KEY;
      const query = key === '' ? '' : `?key=${encodeURIComponent(key)}`;
      const socket = new WebSocket(`${url}/${document}${query}`, { headers: options.headers ?? {} });
      sockets.add(socket);
      return rawClient(socket);
    },
  };
}

/** Keeps what a socket receives. */
export function rawClient(socket: WebSocket): RawClient {
  const frames: Uint8Array[] = [];
  socket.on('message', (data) => {
    if (Buffer.isBuffer(data)) frames.push(data);
  });
  return {
    socket,
    frames,
    opened: new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    }),
    closed: new Promise((resolve) => {
      socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    }),
  };
}
