import type { LiveNews } from '#shared/schemas/live.ts';
import { CLOSE_CODES } from '#sync/close-codes.ts';
import type { CloseCode } from '#sync/close-codes.ts';
import { parseDocName } from '#sync/doc-name.ts';
import { encodeNews } from '#sync/live-frame.ts';
import { encodeDenied, KEEPALIVE_FRAME } from '#sync/sync-frame.ts';
import { SyncSession } from '#sync/sync-session.ts';
import type { SessionAction, SessionLimits } from '#sync/sync-session.ts';
import type { Credentials, Identity } from '../domain/identity.ts';
import type { Clock } from '../domain/ports.ts';
import type { DocumentFeed } from './document-feed.ts';
import type { LiveSubscriber } from './live-group.ts';
import type { LiveHub } from './live-hub.ts';
import type { PresenceBoard } from './presence-board.ts';

/** A WebSocket as the sync server needs it. */
export interface SyncSocket {
  send(frame: Uint8Array): void;
  /** WebSocket ping: every client answers it by itself. */
  ping(): void;
  close(code: number, reason: string): void;
  /** Cuts the connection: nothing that is queued is waited for. */
  terminate(): void;
  /** Bytes given to `send` that the network has not taken. */
  readonly bufferedBytes: number;
}

/** Times and sizes of a connection. */
export interface ConnectionLimits {
  /** An application message at least this often: y-websocket gives up after 30 s without one. */
  readonly keepAliveMs: number;
  /** A client from which nothing came for this long, not even a pong, is gone. */
  readonly silentMs: number;
  /** Backlog that must drain, how long it may last, and what no socket may have. */
  readonly backlogBytes: number;
  readonly backlogMs: number;
  readonly backlogMaxBytes: number;
  /** A client that does not answer a close within this time is cut. */
  readonly closeMs: number;
}

/** Defaults of {@link ConnectionLimits}. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  keepAliveMs: 15_000,
  silentMs: 60_000,
  backlogBytes: 1024 * 1024,
  backlogMs: 10_000,
  backlogMaxBytes: 8 * 1024 * 1024,
  closeMs: 3000,
};

/** What a connection is made of. */
export interface ConnectionOptions {
  readonly socket: SyncSocket;
  readonly credentials: Credentials;
  readonly identity: Identity;
  readonly feed: DocumentFeed;
  readonly live: LiveHub;
  readonly presence: Pick<PresenceBoard, 'report' | 'leave' | 'rename'> | null;
  readonly clock: Clock;
  readonly limits: ConnectionLimits;
  readonly sessionLimits: SessionLimits;
  /** Called once, when it ended by our hand (`code` null: terminated) or the client's. */
  readonly onEnd: (end: { readonly code: CloseCode | null; readonly by: 'server' | 'client' }) => void;
}

/** An accepted socket on a document, from step 1 to its end. */
export class SyncConnection implements LiveSubscriber {
  readonly document: string;
  readonly credentials: Credentials;
  readonly #options: ConnectionOptions;
  readonly #session: SyncSession;
  readonly #leave: () => void;
  #identity: Identity;
  #sentAt: number;
  #heardAt: number;
  #pingedAt: number;
  #overSince: number | null = null;
  #ended = false;

  /** Joins the document and sends step 1; what the client sends is read from now on. */
  constructor(options: ConnectionOptions) {
    const now = options.clock.now();
    this.#options = options;
    this.document = options.feed.document.name;
    this.credentials = options.credentials;
    this.#identity = options.identity;
    this.#sentAt = now;
    this.#heardAt = now;
    this.#pingedAt = now;
    this.#session = new SyncSession({
      document: this.document,
      now,
      knowsDeletes: (ranges) => options.feed.knowsDeletes(ranges),
      limits: options.sessionLimits,
    });
    // Joined first: an update between the two would be in neither.
    this.#leave = options.feed.join((frame) => this.send(frame));
    this.send(options.feed.step1());
  }

  get #isFleet(): boolean {
    return parseDocName(this.document)?.kind === 'fleet';
  }

  get identity(): Identity {
    return this.#identity;
  }

  get bufferedBytes(): number {
    return this.#options.socket.bufferedBytes;
  }

  get droppedWrites(): number {
    return this.#session.droppedWrites;
  }

  /** Takes a frame of the client; null is a text frame. */
  receive(frame: Uint8Array | null): void {
    if (this.#ended) return;
    const now = this.#options.clock.now();
    this.#heardAt = now;
    for (const action of this.#session.receive(frame, now)) this.#act(action);
  }

  /** The client answered a ping. */
  heard(): void {
    this.#heardAt = this.#options.clock.now();
  }

  /** The socket is closed, whoever did it. */
  closed(): void {
    this.#end(null, 'client');
  }

  /** Sends one frame, unless the client is so far behind that it is cut off. */
  send(frame: Uint8Array): void {
    if (this.#ended) return;
    if (this.bufferedBytes > this.#options.limits.backlogMaxBytes) {
      this.terminate();
      return;
    }
    this.#sentAt = this.#options.clock.now();
    this.#options.socket.send(frame);
  }

  /** Closes with a code that the client acts upon. */
  close(code: CloseCode, reason: string): void {
    if (this.#ended) return;
    closeSocket(this.#options, code, reason);
    this.#end(code, 'server');
  }

  /** Cuts it: a close code would wait behind what the client does not read. */
  terminate(): void {
    if (this.#ended) return;
    this.#options.socket.terminate();
    this.#end(null, 'server');
  }

  /** Called every few seconds: keeps the client's watchdog quiet, finds dead peers and readers that do not read. */
  check(): void {
    const { limits, socket, clock } = this.#options;
    const now = clock.now();
    if (now - this.#heardAt >= limits.silentMs || this.#backlogLasts(now)) {
      this.terminate();
      return;
    }
    if (now - this.#sentAt >= limits.keepAliveMs) this.send(KEEPALIVE_FRAME);
    if (now - Math.max(this.#pingedAt, this.#heardAt) >= limits.keepAliveMs) {
      this.#pingedAt = now;
      socket.ping();
    }
  }

  /** There is a new role or label: it holds for whatever comes next, and the client is told to ask for it. */
  renew(identity: Identity): void {
    const { role, label } = this.#identity;
    this.#identity = identity;
    if (identity.role === role && identity.label === label) return;
    this.#options.presence?.rename(this, identity);
    this.tell('session');
  }

  /** Tells a client that reads live frames what to ask for again; any other finds out when it asks. */
  tell(news: LiveNews): void {
    if (this.#isFleet && this.#session.readsLive) this.send(encodeNews(news));
  }

  #backlogLasts(now: number): boolean {
    const { limits } = this.#options;
    if (this.bufferedBytes <= limits.backlogBytes) {
      this.#overSince = null;
      return false;
    }
    this.#overSince ??= now;
    return now - this.#overSince >= limits.backlogMs;
  }

  #act(action: SessionAction): void {
    switch (action.type) {
      case 'answer':
        this.send(this.#options.feed.step2(action.stateVector));
        break;
      case 'send':
        this.send(action.frame);
        break;
      case 'subscribe':
        // Live frames ride on the fleet socket; elsewhere a subscription only says "I read type 100".
        if (this.#isFleet) this.#options.live.subscribe(this, action.subscription);
        break;
      case 'presence':
        if (this.#isFleet) this.#options.presence?.report(this, this.#identity, action.report);
        break;
      case 'close':
        this.close(action.code, action.reason);
        break;
    }
  }

  #end(code: CloseCode | null, by: 'server' | 'client'): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#leave();
    this.#options.live.unsubscribe(this);
    this.#options.presence?.leave(this);
    this.#options.onEnd({ code, by });
  }
}

/**
 * Closes a socket with a code, saying why first where a session is the matter. A client that reads nothing never sees
 * the close, and would keep the process from ending: it is cut a little later.
 */
export function closeSocket(
  context: { readonly socket: SyncSocket; readonly clock: Clock; readonly limits: ConnectionLimits },
  code: CloseCode,
  reason: string,
): void {
  const { socket, clock, limits } = context;
  if (code === CLOSE_CODES.session) socket.send(encodeDenied(reason));
  socket.close(code, reason);
  clock.after(limits.closeMs, () => socket.terminate());
}
