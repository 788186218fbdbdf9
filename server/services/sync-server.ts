import type { HealthCheck } from '#shared/schemas/info.ts';
import type { LiveNews } from '#shared/schemas/live.ts';
import { CLOSE_CODES } from '#sync/close-codes.ts';
import type { CloseCode } from '#sync/close-codes.ts';
import type { DocumentSource } from '#sync/shared-document.ts';
import { SESSION_LIMITS } from '#sync/sync-session.ts';
import type { SessionLimits } from '#sync/sync-session.ts';
import type { Authenticator, AuthRefusal, Credentials, Identity } from '../domain/identity.ts';
import type { Clock, HealthSource, Log } from '../domain/ports.ts';
import { DocumentFeed } from './document-feed.ts';
import type { LiveHub } from './live-hub.ts';
import type { PresenceBoard } from './presence-board.ts';
import { closeSocket, CONNECTION_LIMITS, SyncConnection } from './sync-connection.ts';
import type { ConnectionLimits, SyncSocket } from './sync-connection.ts';

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
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<SyncLimits>;
}

/** What an accepted socket does with events of its client. */
export type SyncPeer = Pick<SyncConnection, 'receive' | 'heard' | 'closed'>;

/** Numbers for health and metrics. */
export interface SyncGauges {
  readonly socketsByRole: Readonly<Record<string, number>>;
  readonly documents: readonly {
    readonly name: string;
    readonly sockets: number;
    /** Size of the whole document as last sent; null when nobody asked for all of it since the last update. */
    readonly bytes: number | null;
    readonly pendingStructs: boolean;
  }[];
  readonly droppedWrites: number;
  readonly bufferedBytes: number;
  readonly shedFrames: number;
  /** Ends since the start, by close code, `client` or `terminated`. */
  readonly ends: Readonly<Record<string, number>>;
}

/** Sockets on the collector's read-only documents, speaking y-websocket. */
export class SyncServer implements HealthSource {
  readonly #options: SyncServerOptions;
  readonly #limits: SyncLimits;
  readonly #connections = new Set<SyncConnection>();
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
    const { documents, authenticator, clock, live } = this.#options;
    const identity = authenticator.authenticate(request.credentials, clock.now());
    if (typeof identity === 'string')
      return this.#refuse(socket, CLOSE_CODES.session, sessionReason(identity));
    if (this.#stopping || documents.unavailable()) {
      return this.#refuse(socket, CLOSE_CODES.restarting, 'unavailable');
    }
    if (this.#connections.size >= this.#limits.maxSockets) {
      return this.#refuse(socket, CLOSE_CODES.slowConsumer, 'too many connections');
    }
    const feed = this.#feed(request.document);
    if (!feed) return this.#refuse(socket, CLOSE_CODES.document, 'unknown document');
    const connection: SyncConnection = new SyncConnection({
      socket,
      credentials: request.credentials,
      identity,
      feed,
      live,
      presence: this.#options.presence ?? null,
      clock,
      limits: this.#limits.connection,
      sessionLimits: this.#limits.session,
      onEnd: ({ code, by }) => {
        this.#count(code ?? (by === 'client' ? 'client' : 'terminated'));
        this.#forget(connection, feed);
      },
    });
    this.#connections.add(connection);
    return connection;
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
    for (const connection of this.#connections) if (isMeant(connection.identity)) connection.tell(news);
  }

  health(): readonly HealthCheck[] {
    const { socketsByRole, documents, droppedWrites, shedFrames } = this.gauges();
    const sockets = Object.values(socketsByRole).reduce((sum, count) => sum + count, 0);
    const stuck = documents.filter((document) => document.pendingStructs).map(({ name }) => name);
    return [
      {
        name: 'sync',
        state: stuck.length > 0 ? 'warn' : 'ok',
        detail:
          stuck.length > 0
            ? `${stuck.join(' and ')} waits for changes that never came.`
            : `${sockets} open sockets; ${droppedWrites} refused writes, ${shedFrames} live frames left out since the start.`,
        remediation:
          stuck.length > 0 ? 'Restart the collector: documents are built again from the database.' : null,
      },
    ];
  }

  gauges(): SyncGauges {
    const socketsByRole: Record<string, number> = {};
    let bufferedBytes = 0;
    let droppedWrites = this.#droppedWrites;
    for (const connection of this.#connections) {
      const { role } = connection.identity;
      socketsByRole[role] = (socketsByRole[role] ?? 0) + 1;
      bufferedBytes += connection.bufferedBytes;
      droppedWrites += connection.droppedWrites;
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
      if (connection.document !== fleet && connection.document !== tail) {
        connection.close(CLOSE_CODES.document, 'generation gone');
      }
    }
  }

  /** The first ones at once, the rest over `staggerMs`. */
  async #closeStaggered(code: CloseCode, reason: string): Promise<void> {
    const connections = [...this.#connections];
    const rounds = Math.min(connections.length, 30);
    for (let round = 0; round < rounds; round += 1) {
      for (let index = round; index < connections.length; index += rounds)
        connections[index]?.close(code, reason);
      if (round < rounds - 1) await this.#pause(this.#limits.staggerMs / rounds);
    }
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#options.clock.after(delayMs, resolve);
    });
  }

  #count(end: CloseCode | 'client' | 'terminated'): void {
    this.#ends.set(String(end), (this.#ends.get(String(end)) ?? 0) + 1);
  }
}

/** The word on the wire: a client wipes its replica on `revoked` only. */
function sessionReason(refusal: AuthRefusal): 'expired' | 'revoked' {
  return refusal === 'revoked' ? 'revoked' : 'expired';
}
