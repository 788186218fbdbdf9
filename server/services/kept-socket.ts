import { CLOSE_CODES } from '#sync/close-codes.ts';
import type { CloseCode } from '#sync/close-codes.ts';
import { encodeDenied, KEEPALIVE_FRAME } from '#sync/sync-frame.ts';
import type { Clock } from '../domain/ports.ts';

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

/** How a connection ended: `code` is null when it was cut, or when the client ended it. */
export interface ConnectionEnd {
  readonly code: CloseCode | null;
  readonly by: 'server' | 'client';
}

/** What a kept socket is made of. */
export interface KeptSocketOptions {
  readonly socket: SyncSocket;
  readonly clock: Clock;
  readonly limits: ConnectionLimits;
  /** Called once. */
  readonly onEnd: (end: ConnectionEnd) => void;
}

/** A socket that is kept alive and watched: silent peers, and readers that do not read, are cut. */
export class KeptSocket {
  readonly #options: KeptSocketOptions;
  #sentAt: number;
  #heardAt: number;
  #pingedAt: number;
  #overSince: number | null = null;
  #end: ConnectionEnd | null = null;

  constructor(options: KeptSocketOptions) {
    const now = options.clock.now();
    this.#options = options;
    this.#sentAt = now;
    this.#heardAt = now;
    this.#pingedAt = now;
  }

  /** How it ended; null while it is open. */
  get end(): ConnectionEnd | null {
    return this.#end;
  }

  get bufferedBytes(): number {
    return this.#options.socket.bufferedBytes;
  }

  /** Something came from the client: a frame, or the answer to a ping. */
  heard(): void {
    this.#heardAt = this.#options.clock.now();
  }

  /** The socket is closed, whoever did it. */
  closed(): void {
    this.#finish({ code: null, by: 'client' });
  }

  /** Sends one frame, unless the client is so far behind that it is cut off. */
  send(frame: Uint8Array): void {
    if (this.#end) return;
    if (this.bufferedBytes > this.#options.limits.backlogMaxBytes) {
      this.terminate();
      return;
    }
    this.#sentAt = this.#options.clock.now();
    this.#options.socket.send(frame);
  }

  /** Closes with a code that the client acts upon. */
  close(code: CloseCode, reason: string): void {
    if (this.#end) return;
    closeSocket(this.#options, code, reason);
    this.#finish({ code, by: 'server' });
  }

  /** Cuts it: a close code would wait behind what the client does not read. */
  terminate(): void {
    if (this.#end) return;
    this.#options.socket.terminate();
    this.#finish({ code: null, by: 'server' });
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

  #backlogLasts(now: number): boolean {
    const { limits } = this.#options;
    if (this.bufferedBytes <= limits.backlogBytes) {
      this.#overSince = null;
      return false;
    }
    this.#overSince ??= now;
    return now - this.#overSince >= limits.backlogMs;
  }

  #finish(end: ConnectionEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#options.onEnd(end);
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
