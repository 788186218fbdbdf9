import type { HealthCheck } from '#shared/schemas/info.ts';
import type { LiveNews } from '#shared/schemas/live.ts';
import { CLOSE_CODES } from '#sync/close-codes.ts';
import type { CloseCode } from '#sync/close-codes.ts';
import { parseOutboxName, type OutboxName } from '#sync/doc-name.ts';
import type { DocumentSource } from '#sync/shared-document.ts';
import { SESSION_LIMITS } from '#sync/sync-session.ts';
import type { SessionLimits } from '#sync/sync-session.ts';
import type { Authenticator, AuthRefusal, Credentials, Identity } from '../domain/identity.ts';
import { syncCheck, type DocumentSize, type SyncGauges } from '../domain/health/sync-check.ts';
import type { Clock, HealthSource, Log } from '../domain/ports.ts';
import { DocumentFeed } from './document-feed.ts';
import type { LiveHub } from './live-hub.ts';
import type { LogHub } from './log-hub.ts';
import type { PresenceBoard } from './presence-board.ts';
import { closeSocket, CONNECTION_LIMITS } from './kept-socket.ts';
import type { ConnectionEnd, ConnectionLimits, SyncSocket } from './kept-socket.ts';
import { OutboxConnection } from './outbox-connection.ts';
import type { OutboxService } from './outbox-service.ts';
import { closeStaggered } from './staggered-close.ts';
import { SyncConnection } from './sync-connection.ts';
import type { DocumentConnection } from './sync-connection.ts';

/** Limits and periods, all with defaults. */
export interface SyncLimits {
  readonly connection: ConnectionLimits;
  readonly session: SessionLimits;
  readonly maxSockets: number;
  readonly checkMs: number;
  readonly authCheckMs: number;
  /** Closes at a stop are spread over this long, so that clients do not all come back in the same moment. */
  readonly staggerMs: number;
}

const DEFAULTS: SyncLimits = {
  connection: CONNECTION_LIMITS,
  session: SESSION_LIMITS,
  maxSockets: 4096,
  checkMs: 2500,
  authCheckMs: 30_000,
  staggerMs: 1500,
};

/** What the sync server needs. */
export interface SyncServerOptions {
  readonly documents: DocumentSource;
  readonly authenticator: Authenticator;
  readonly live: LiveHub;
  /** Left out: nobody's presence is shown. */
  readonly presence?: PresenceBoard;
  /** Left out: nobody is given logs. */
  readonly logs?: Pick<LogHub, 'watch'>;
  /** Sizes of the documents, for health; left out: not known. */
  readonly sizes?: () => readonly DocumentSize[];
  /** Left out: there are no documents that devices write. */
  readonly outboxes?: Pick<OutboxService, 'open' | 'historyWentBack'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<SyncLimits>;
}

/** What an accepted socket does with events of its client. */
export type SyncPeer = Pick<DocumentConnection, 'receive' | 'oversized' | 'heard' | 'closed'>;

/** A socket that is let in, and with what. */
interface Accepted {
  readonly socket: SyncSocket;
  readonly credentials: Credentials;
  readonly identity: Identity;
}

/** Sockets on the collector's documents and on outboxes, speaking y-websocket. */
export class SyncServer implements HealthSource {
  readonly #options: SyncServerOptions;
  readonly #limits: SyncLimits;
  readonly #connections = new Set<DocumentConnection>();
  readonly #feeds = new Map<string, DocumentFeed>();
  readonly #ends = new Map<string, number>();
  #cancel: (() => void)[] = [];
  #droppedWrites = 0;
  #stopping = false;

  constructor(options: SyncServerOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULTS, ...options.limits };
  }

  /** Starts the periodic checks and listens for ended sessions and dropped documents. */
  start(): void {
    const { clock, authenticator, documents } = this.#options;
    this.#cancel = [
      clock.every(this.#limits.checkMs, () => this.#connections.forEach((connection) => connection.check())),
      clock.every(this.#limits.authCheckMs, () => this.#checkSessions()),
      authenticator.onEnded((identityId, why) => {
        for (const connection of this.#connections) {
          if (connection.identity.id === identityId) connection.close(CLOSE_CODES.session, why);
        }
      }),
      authenticator.onChanged((identity) => {
        for (const connection of this.#connections) {
          if (connection.identity.id === identity.id) connection.renew(identity);
        }
      }),
      documents.onDropped((why) => this.#dropDocuments(why)),
    ];
  }

  /**
   * Takes an upgraded socket. Identity first, so that a stranger does not even learn which documents exist; then the
   * store; then the document, which is loaded before step 1 leaves. Null when the socket was closed at once.
   */
  connect(
    socket: SyncSocket,
    request: { readonly document: string; readonly credentials: Credentials },
  ): SyncPeer | null {
    const { documents, authenticator, clock } = this.#options;
    const identity = authenticator.authenticate(request.credentials, clock.now());
    if (typeof identity === 'string')
      return this.#refuse(socket, CLOSE_CODES.session, sessionReason(identity));
    if (this.#stopping || documents.unavailable()) {
      return this.#refuse(socket, CLOSE_CODES.restarting, 'unavailable');
    }
    if (this.#connections.size >= this.#limits.maxSockets) {
      return this.#refuse(socket, CLOSE_CODES.slowConsumer, 'too many connections');
    }
    const accepted = { socket, credentials: request.credentials, identity };
    const outbox = parseOutboxName(request.document);
    return outbox ? this.#connectOutbox(outbox, accepted) : this.#connectReadOnly(request.document, accepted);
  }

  /** Closes every socket with 4503, spread over `staggerMs`, and ends the checks. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const cancel of this.#cancel) cancel();
    this.#cancel = [];
    await this.#closeStaggered(CLOSE_CODES.restarting, 'restarting');
    for (const feed of this.#feeds.values()) feed.stop();
    this.#feeds.clear();
  }

  /** Tells the clients of some identities what to ask for again. */
  tell(news: LiveNews, isMeant: (identity: Identity) => boolean): void {
    for (const connection of this.#connections) {
      if (connection instanceof SyncConnection && isMeant(connection.identity)) connection.tell(news);
    }
  }

  health(): readonly HealthCheck[] {
    return [syncCheck(this.gauges(), this.#options.sizes?.() ?? [])];
  }

  gauges(): SyncGauges {
    const socketsByRole: Record<string, number> = {};
    let bufferedBytes = 0;
    let droppedWrites = this.#droppedWrites;
    for (const connection of this.#connections) {
      const { role } = connection.identity;
      socketsByRole[role] = (socketsByRole[role] ?? 0) + 1;
      bufferedBytes += connection.bufferedBytes;
      if (connection instanceof SyncConnection) droppedWrites += connection.droppedWrites;
    }
    return {
      socketsByRole,
      documents: [...this.#feeds].map(([name, feed]) => ({ name, ...feed.gauges() })),
      droppedWrites,
      bufferedBytes,
      shedFrames: this.#options.live.gauges().shedFrames,
      ends: Object.fromEntries(this.#ends),
    };
  }

  #connectReadOnly(document: string, { socket, credentials, identity }: Accepted): SyncPeer | null {
    const { clock, live, presence = null, logs = null, outboxes } = this.#options;
    const feed = this.#feed(document);
    if (!feed) return this.#refuse(socket, CLOSE_CODES.document, 'unknown document');
    const connection: SyncConnection = new SyncConnection({
      socket,
      credentials,
      identity,
      feed,
      live,
      presence,
      logs,
      clock,
      limits: this.#limits.connection,
      sessionLimits: this.#limits.session,
      onAhead: (who) => outboxes?.historyWentBack(who),
      onEnd: (end) => {
        this.#countEnd(end);
        this.#forget(connection, feed);
      },
    });
    this.#connections.add(connection);
    return connection;
  }

  #connectOutbox(name: OutboxName, { socket, credentials, identity }: Accepted): SyncPeer | null {
    const { clock, outboxes } = this.#options;
    const room = outboxes?.open(name, identity) ?? {
      code: CLOSE_CODES.document,
      reason: 'unknown document',
    };
    if ('code' in room) return this.#refuse(socket, room.code, room.reason);
    const connection: OutboxConnection = new OutboxConnection({
      socket,
      credentials,
      identity,
      room,
      clock,
      limits: this.#limits.connection,
      onEnd: (end) => {
        this.#countEnd(end);
        this.#connections.delete(connection);
      },
    });
    this.#connections.add(connection);
    return connection;
  }

  #feed(name: string): DocumentFeed | null {
    const document = this.#options.documents.open(name);
    if (!document) return null;
    const known = this.#feeds.get(name);
    if (known?.document.doc === document.doc) return known;
    const feed = new DocumentFeed(document);
    this.#feeds.set(name, feed);
    // The source loaded the document anew: a socket on the old one would hear nothing more.
    for (const connection of this.#connections) {
      if (connection.document === name) connection.close(CLOSE_CODES.restarting, 'document loaded anew');
    }
    return feed;
  }

  #forget(connection: SyncConnection, feed: DocumentFeed): void {
    this.#connections.delete(connection);
    this.#droppedWrites += connection.droppedWrites;
    if (connection.droppedWrites > 0) {
      this.#options.log.warn(
        { document: connection.document, by: connection.identity.id, count: connection.droppedWrites },
        'writes to a read-only document were dropped',
      );
    }
    if (feed.sockets > 0) return;
    feed.stop();
    if (this.#feeds.get(connection.document) === feed) this.#feeds.delete(connection.document);
  }

  #refuse(socket: SyncSocket, code: CloseCode, reason: string): null {
    closeSocket({ socket, clock: this.#options.clock, limits: this.#limits.connection }, code, reason);
    this.#count(code);
    return null;
  }

  #checkSessions(): void {
    const { authenticator, clock } = this.#options;
    for (const connection of this.#connections) {
      const identity = authenticator.authenticate(connection.credentials, clock.now());
      if (typeof identity === 'string') connection.close(CLOSE_CODES.session, sessionReason(identity));
      else connection.renew(identity);
    }
  }

  #dropDocuments(why: 'store_failed' | 'generation'): void {
    const { documents } = this.#options;
    if (why === 'store_failed') {
      void this.#closeStaggered(CLOSE_CODES.restarting, 'unavailable');
      return;
    }
    const { fleet, tail } = documents.names();
    for (const connection of this.#connections) {
      if (!(connection instanceof SyncConnection)) continue;
      if (connection.document !== fleet && connection.document !== tail) {
        connection.close(CLOSE_CODES.document, 'generation gone');
      }
    }
  }

  #closeStaggered(code: CloseCode, reason: string): Promise<void> {
    const { clock } = this.#options;
    return closeStaggered([...this.#connections], { code, reason, clock, overMs: this.#limits.staggerMs });
  }

  #countEnd({ code, by }: ConnectionEnd): void {
    this.#count(code ?? (by === 'client' ? 'client' : 'terminated'));
  }

  #count(end: CloseCode | 'client' | 'terminated'): void {
    this.#ends.set(String(end), (this.#ends.get(String(end)) ?? 0) + 1);
  }
}

/** The word on the wire: a client wipes its replica on `revoked` only. */
function sessionReason(refusal: AuthRefusal): 'expired' | 'revoked' {
  return refusal === 'revoked' ? 'revoked' : 'expired';
}
