import type { LiveNews, LogWish } from '#shared/schemas/live.ts';
import { CLOSE_CODES, type CloseCode } from '#sync/close-codes.ts';
import { parseDocName } from '#sync/doc-name.ts';
import { encodeNews } from '#sync/live-frame.ts';
import { SyncSession } from '#sync/sync-session.ts';
import type { SessionAction, SessionLimits } from '#sync/sync-session.ts';
import type { Credentials, Identity } from '../domain/identity.ts';
import type { Clock } from '../domain/ports.ts';
import type { DocumentFeed } from './document-feed.ts';
import { KeptSocket } from './kept-socket.ts';
import type { ConnectionEnd, ConnectionLimits, SyncSocket } from './kept-socket.ts';
import type { LiveSubscriber } from './live-group.ts';
import type { LiveHub } from './live-hub.ts';
import type { LogHub } from './log-hub.ts';
import type { PresenceBoard } from './presence-board.ts';

/** An accepted socket on a document, whoever writes it. */
export interface DocumentConnection {
  readonly document: string;
  readonly credentials: Credentials;
  readonly identity: Identity;
  readonly bufferedBytes: number;
  /** Takes a frame of the client; null is a text frame. */
  receive(frame: Uint8Array | null): void;
  /** The client sent a frame that is too long to be read at all: the socket is closing because of it (1009). */
  oversized(): void;
  /** The client answered a ping. */
  heard(): void;
  /** The socket is closed, whoever did it. */
  closed(): void;
  close(code: CloseCode, reason: string): void;
  /** Called every few seconds. */
  check(): void;
  /** The identity as it is now: a new role or label holds for whatever comes next. */
  renew(identity: Identity): void;
}

/** What a connection is made of. */
export interface ConnectionOptions {
  readonly socket: SyncSocket;
  readonly credentials: Credentials;
  readonly identity: Identity;
  readonly feed: DocumentFeed;
  readonly live: LiveHub;
  readonly presence: Pick<PresenceBoard, 'report' | 'leave' | 'rename'> | null;
  readonly logs: Pick<LogHub, 'watch'> | null;
  readonly clock: Clock;
  readonly limits: ConnectionLimits;
  readonly sessionLimits: SessionLimits;
  /** The client holds something that the document does not have: history went back here. */
  readonly onAhead: (identity: Identity, vector: Uint8Array) => void;
  /** Called once, when it ended by our hand or the client's. */
  readonly onEnd: (end: ConnectionEnd) => void;
}

/** A socket on a document that only the collector writes, from step 1 to its end. */
export class SyncConnection implements DocumentConnection, LiveSubscriber {
  readonly document: string;
  readonly credentials: Credentials;
  readonly #options: ConnectionOptions;
  readonly #socket: KeptSocket;
  readonly #session: SyncSession;
  readonly #leave: () => void;
  #identity: Identity;
  #logWish: LogWish | null = null;

  /** Joins the document and sends step 1; what the client sends is read from now on. */
  constructor(options: ConnectionOptions) {
    const { clock, limits, socket, feed } = options;
    this.#options = options;
    this.document = feed.document.name;
    this.credentials = options.credentials;
    this.#identity = options.identity;
    this.#socket = new KeptSocket({ socket, clock, limits, onEnd: (end) => this.#end(end) });
    this.#session = new SyncSession({
      document: this.document,
      now: clock.now(),
      knowsDeletes: (ranges) => feed.knowsDeletes(ranges),
      limits: options.sessionLimits,
    });
    // Joined first: an update between the two would be in neither.
    this.#leave = feed.join((frame) => this.send(frame));
    this.send(feed.step1());
  }

  get #isFleet(): boolean {
    return parseDocName(this.document)?.kind === 'fleet';
  }

  get identity(): Identity {
    return this.#identity;
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedBytes;
  }

  get droppedWrites(): number {
    return this.#session.droppedWrites;
  }

  receive(frame: Uint8Array | null): void {
    if (this.#socket.end) return;
    this.#socket.heard();
    const now = this.#options.clock.now();
    for (const action of this.#session.receive(frame, now)) this.#act(action);
  }

  oversized(): void {
    this.close(CLOSE_CODES.quota, 'a frame that is too long to be read');
  }

  heard(): void {
    this.#socket.heard();
  }

  closed(): void {
    this.#socket.closed();
  }

  send(frame: Uint8Array): void {
    this.#socket.send(frame);
  }

  close(code: CloseCode, reason: string): void {
    this.#socket.close(code, reason);
  }

  terminate(): void {
    this.#socket.terminate();
  }

  check(): void {
    this.#socket.check();
  }

  /** A new role or label: the client is told to ask for it. */
  renew(identity: Identity): void {
    const { role, label } = this.#identity;
    this.#identity = identity;
    if (identity.role === role && identity.label === label) return;
    this.#options.presence?.rename(this, identity);
    this.#watchLogs();
    this.tell('session');
  }

  /** Tells a client that reads live frames what to ask for again; any other finds out when it asks. */
  tell(news: LiveNews): void {
    if (this.#isFleet && this.#session.readsLive) this.send(encodeNews(news));
  }

  #act(action: SessionAction): void {
    const { feed, live, presence, onAhead } = this.#options;
    switch (action.type) {
      case 'answer':
        if (feed.lacksSomeOf(action.stateVector)) {
          onAhead(this.#identity, action.stateVector);
          for (const follow of this.#session.discardCopy()) this.#act(follow);
        }
        this.send(feed.step2(action.stateVector));
        break;
      case 'send':
        this.send(action.frame);
        break;
      case 'subscribe':
        // Live frames ride on the fleet socket; elsewhere a subscription only says "I read type 100".
        if (!this.#isFleet) break;
        live.subscribe(this, action.subscription);
        this.#logWish = action.subscription.logs ?? null;
        this.#watchLogs();
        break;
      case 'presence':
        if (this.#isFleet) presence?.report(this, this.#identity, action.report);
        break;
      case 'close':
        this.close(action.code, action.reason);
        break;
    }
  }

  /** Logs may hold prompts and answers: whoever may only look at the fleet gets none. */
  #watchLogs(): void {
    this.#options.logs?.watch(this, this.#identity.role === 'viewer' ? null : this.#logWish);
  }

  #end(end: ConnectionEnd): void {
    this.#leave();
    this.#options.logs?.watch(this, null);
    this.#options.live.unsubscribe(this);
    this.#options.presence?.leave(this);
    this.#options.onEnd(end);
  }
}
