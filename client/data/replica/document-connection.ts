import type { Decoder } from 'lib0/decoding';
import { Awareness } from 'y-protocols/awareness';
import { WebsocketProvider } from 'y-websocket';
import type * as Y from 'yjs';
import { backoffDelayMs } from '#shared/lib/backoff.ts';
import { NO_SOCKET } from './connection-view.ts';
import type { SocketState } from './connection-view.ts';

/** Message type of live frames; the stock client knows only 0 to 3. */
const LIVE_MESSAGE = 100;
const RETRY = { minMs: 200, maxMs: 8_000 } as const;
/** A collector that restarts or sheds load is not asked again by everybody at once. */
const RETRY_AFTER_RESTART = { minMs: 1_000, maxMs: 12_000 } as const;
const RESTART_CODES: ReadonlySet<number> = new Set([1012, 1013, 4503]);

/** What the owner of a {@link DocumentConnection} hears. */
export interface DocumentConnectionListener {
  readonly onState: () => void;
  /** The server ended it for good, with a code of 4400–4499. */
  readonly onRefused: (code: number, reason: string) => void;
  /** A live frame's payload, after its type. */
  readonly onLive: (decoder: Decoder) => void;
}

/** How {@link DocumentConnection} is set up. */
export interface DocumentConnectionOptions extends DocumentConnectionListener {
  /** `ws(s)://host/sync`. */
  readonly url: string;
  readonly name: string;
  readonly doc: Y.Doc;
}

/**
 * One document's socket: the published y-websocket provider, with jitter between retries. No BroadcastChannel: each tab
 * has its own socket, and another tab's copy could be of another session.
 * No awareness either: presence comes aggregated in live frames.
 */
export class DocumentConnection {
  readonly #provider: WebsocketProvider;
  #state: SocketState = NO_SOCKET;
  #attempt = 0;

  constructor(options: DocumentConnectionOptions) {
    const awareness = new Awareness(options.doc);
    awareness.setLocalState(null);
    const provider = new WebsocketProvider(options.url, options.name, options.doc, {
      connect: false,
      awareness,
      disableBc: true,
    });
    this.#provider = provider;
    provider.messageHandlers[LIVE_MESSAGE] = (_encoder, decoder) => options.onLive(decoder);
    const move = (phase: SocketState['phase'], closeCode: number | null): void => {
      this.#state = { ...this.#state, phase, closeCode, since: Date.now() };
      options.onState();
    };
    provider.on('status', ({ status }) => {
      if (status === 'connecting') move('connecting', this.#state.closeCode);
      if (status === 'connected') move('open', this.#state.closeCode);
    });
    provider.on('sync', (synced) => {
      if (!synced) return;
      this.#attempt = 0;
      move('synced', null);
    });
    provider.on('connection-close', (event) => {
      this.#attempt += 1;
      const code = event?.code ?? null;
      const bounds = code !== null && RESTART_CODES.has(code) ? RETRY_AFTER_RESTART : RETRY;
      // The provider waits the smaller of its own doubling delay and this; raising its count makes ours the smaller.
      provider.wsUnsuccessfulReconnects = 20;
      provider.maxBackoffTime = backoffDelayMs(this.#attempt, Math.random(), bounds);
      move('closed', code);
    });
    provider.on('closed', ({ code, reason }) => options.onRefused(code, reason));
  }

  /** Where the socket stands now. */
  state(): SocketState {
    const heardAt = this.#provider.wsLastMessageReceived;
    return { ...this.#state, lastMessageAt: heardAt === 0 ? null : heardAt };
  }

  /** Changes made with this origin are not sent. */
  get origin(): unknown {
    return this.#provider;
  }

  connect(): void {
    this.#provider.connect();
  }

  /** Tries at once instead of waiting for the next retry; closes a socket that may be dead without knowing. */
  reconnectNow(): void {
    this.#attempt = 0;
    this.#provider.disconnect();
    this.#provider.connect();
  }

  /** Sends a frame, if the socket is open. */
  send(frame: Uint8Array<ArrayBuffer>): void {
    const { ws } = this.#provider;
    if (ws !== null && ws.readyState === WebSocket.OPEN) ws.send(frame);
  }

  destroy(): void {
    this.#provider.destroy();
    this.#provider.awareness.destroy();
  }
}
