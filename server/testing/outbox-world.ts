import { randomUUID } from 'node:crypto';
import fastifyCookie from '@fastify/cookie';
import Fastify from 'fastify';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { WebsocketProvider } from 'y-websocket';
import * as Y from 'yjs';
import type { Role } from '#shared/schemas/auth.ts';
import type { IntentRecord } from '#shared/schemas/intent-request.ts';
import { ThreadOutboxJudge } from '../adapters/outbox/outbox-judge.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { CLI_ACTOR } from '../domain/audit-log.ts';
import type { Identity } from '../domain/identity.ts';
import type { Clock } from '../domain/ports.ts';
import { guardRoutes } from '../plugins/auth.ts';
import { handleErrors } from '../plugins/error-handler.ts';
import { mountSync } from '../routes/sync.ts';
import { AuthService } from '../services/auth-service.ts';
import type { IntentService } from '../services/intent-service.ts';
import { OutboxService } from '../services/outbox-service.ts';
import { SyncServer } from '../services/sync-server.ts';
import { intentsRig, type IntentsRig } from './intents-rig.ts';
import { silentLog } from './silent-log.ts';
import { followAccess } from '../services/intent-access.ts';
import { rawClient, type RawClient } from './sync-world.ts';

/** Somebody who may sign in. */
export interface Owner extends Identity {
  readonly key: string;
}

/** Outboxes over a real store, real intents and real sockets. */
export interface OutboxWorld {
  readonly rig: IntentsRig;
  readonly auth: AuthService;
  readonly outboxes: OutboxService;
  readonly sync: SyncServer;
  readonly url: string;
  /** Makes an API key. */
  owner(label: string, role?: Role): Owner;
  /** The current name of an owner's outbox. */
  nameOf(owner: Owner): string;
  /** The published y-websocket client, unchanged. */
  device(owner: Owner, options?: { readonly doc?: Y.Doc; readonly name?: string }): Device;
  /** A socket that sends what it is told. */
  raw(owner: Owner, name?: string): RawClient;
}

/** A page of a device. */
export interface Device {
  readonly doc: Y.Doc;
  readonly provider: WebsocketProvider;
  /** Close codes and reasons that ended it for good. */
  readonly closes: { readonly code: number; readonly reason: string }[];
}

type Intake = Pick<IntentService, 'receive' | 'cancel'>;

/** How {@link outboxWorld} differs from the product. */
export interface OutboxWorldOptions {
  readonly deadlineMs?: number;
  readonly rig?: IntentsRig;
  /** The clock that epochs and quarantines go by. */
  readonly outboxClock?: Clock;
  /** Stands before the real intents. */
  readonly intents?: (real: Intake) => Intake;
}

/** Starts a sync route with outboxes on any free port; it ends with the test. */
export async function outboxWorld(options: OutboxWorldOptions = {}): Promise<OutboxWorld> {
  const rig = options.rig ?? intentsRig();
  const { store, docHost, live } = rig.truth;
  const clock = systemClock;
  const log = silentLog();
  const auth = new AuthService({ database: store, clock, log });
  const judge = new ThreadOutboxJudge({ deadlineMs: options.deadlineMs ?? 5000 });
  const outboxes = new OutboxService({
    store,
    audit: store.audit,
    judge,
    intents: options.intents?.(rig.intents.service) ?? rig.intents.service,
    authenticator: auth,
    clock: options.outboxClock ?? clock,
    log,
  });
  const sync = new SyncServer({
    documents: docHost,
    authenticator: auth,
    live,
    outboxes,
    clock,
    log,
    limits: { staggerMs: 20 },
  });
  const app = Fastify({ forceCloseConnections: true });
  handleErrors(app, log);
  await app.register(fastifyCookie);
  guardRoutes(app, { authenticator: auth, clock, publicUrl: null });
  await mountSync(app, { sync });
  auth.start();
  outboxes.start();
  followAccess(auth, rig.intents.service);
  sync.start();
  const url = `ws${(await app.listen({ host: '127.0.0.1', port: 0 })).slice(4)}/sync`;
  const sockets = new Set<WebSocket>();
  onTestFinished(async () => {
    for (const socket of sockets) socket.terminate();
    outboxes.stop();
    await app.close();
    auth.stop();
    await judge.stop();
  });
  const nameOf = (owner: Owner): string => {
    const name = outboxes.nameOf(owner);
    if (name === null) throw new Error(`${owner.label} has no outbox`);
    return name;
  };
  return {
    rig,
    auth,
    outboxes,
    sync,
    url,
    nameOf,
    owner(label, role = 'operator') {
      const { id, key } = auth.createKey({ label, role }, CLI_ACTOR);
      return { kind: 'key', id, label, role, key };
    },
    device(owner, { doc = new Y.Doc(), name = nameOf(owner) } = {}) {
      const provider = new WebsocketProvider(url, name, doc, {
        params: { key: owner.key },
        disableBc: true,
        maxBackoffTime: 200,
      });
      onTestFinished(() => provider.destroy());
      const closes: { code: number; reason: string }[] = [];
      provider.on('closed', ({ code, reason }) => closes.push({ code, reason }));
      return { doc, provider, closes };
    },
    raw(owner, name = nameOf(owner)) {
      const socket = new WebSocket(`${url}/${encodeURIComponent(name)}?key=${owner.key}`);
      sockets.add(socket);
      return rawClient(socket);
    },
  };
}

type ResumeRecord = Extract<IntentRecord, { readonly kind: 'host.resume' }>;

/** A record that ends at once where there are no hosts: `rejected`, with the reason. */
export function outboxRecord(extra: Partial<ResumeRecord> = {}): ResumeRecord {
  return {
    v: 1,
    id: randomUUID(),
    kind: 'host.resume',
    target: { hostId: 'nowhere' },
    params: {},
    whenDown: 'reject',
    createdAt: Date.now(),
    seenAt: null,
    epoch: 1,
    ...extra,
  };
}
