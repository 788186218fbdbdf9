import { CLOSE_CODES, type CloseCode } from '#sync/close-codes.ts';
import { OutboxSession } from '#sync/outbox-session.ts';
import { roleAllows } from '#shared/schemas/auth.ts';
import type { Credentials, Identity } from '../domain/identity.ts';
import { offsetOf } from '../domain/outbox-policy.ts';
import type { Clock } from '../domain/ports.ts';
import { KeptSocket, type ConnectionEnd, type ConnectionLimits, type SyncSocket } from './kept-socket.ts';
import type { OutboxMember, OutboxRoom } from './outbox-room.ts';
import type { DocumentConnection } from './sync-connection.ts';

/** What a connection is made of. */
export interface OutboxConnectionOptions {
  readonly socket: SyncSocket;
  readonly credentials: Credentials;
  readonly identity: Identity;
  readonly room: OutboxRoom;
  readonly clock: Clock;
  readonly limits: ConnectionLimits;
  /** Called once, when it ended by our hand or the client's. */
  readonly onEnd: (end: ConnectionEnd) => void;
}

/** A socket of an outbox's owner, from step 1 to its end. */
export class OutboxConnection implements DocumentConnection, OutboxMember {
  readonly document: string;
  readonly credentials: Credentials;
  readonly #options: OutboxConnectionOptions;
  readonly #socket: KeptSocket;
  readonly #session: OutboxSession;
  #identity: Identity;
  #clockOffsetMs: number | null = null;

  constructor(options: OutboxConnectionOptions) {
    const { room, clock, limits, socket } = options;
    this.#options = options;
    this.document = room.name;
    this.credentials = options.credentials;
    this.#identity = options.identity;
    this.#session = new OutboxSession({ now: clock.now() });
    this.#socket = new KeptSocket({
      socket,
      clock,
      limits,
      onEnd: (end) => {
        room.leave(this);
        options.onEnd(end);
      },
    });
    room.join(this);
  }

  get identity(): Identity {
    return this.#identity;
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedBytes;
  }

  get isRefused(): boolean {
    return this.#socket.end?.by === 'server';
  }

  receive(frame: Uint8Array | null): void {
    if (this.#socket.end) return;
    this.#socket.heard();
    const { room, clock } = this.#options;
    const now = clock.now();
    const action = this.#session.receive(frame, now);
    switch (action?.type) {
      case 'answer':
        room.ask(this, action.stateVector);
        break;
      case 'write':
        room.write(this, action.update, { receivedAt: now, clockOffsetMs: this.#clockOffsetMs });
        break;
      case 'clock':
        this.#clockOffsetMs = offsetOf(action.deviceNowMs, now);
        break;
      case 'close':
        if (action.isHostile) {
          room.refuse(this, { type: 'refused', reason: 'too_large', detail: action.reason });
        }
        this.close(action.code, action.reason);
        break;
      case undefined:
        break;
    }
  }

  oversized(): void {
    if (this.#socket.end) return;
    const detail = 'a frame that is too long to be read';
    this.#options.room.refuse(this, { type: 'refused', reason: 'too_large', detail });
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

  check(): void {
    this.#socket.check();
  }

  renew(identity: Identity): void {
    this.#identity = identity;
    if (!roleAllows(identity.role, 'operator')) this.close(CLOSE_CODES.role, 'role');
  }
}
