import { WebsocketProvider } from 'y-websocket';
import * as Y from 'yjs';
import type { IntentRecord } from '#shared/schemas/intent-request.ts';
import { encodeClock } from '#sync/live-frame.ts';
import { putIntent, removeRecords } from '#sync/outbox-doc.ts';

/** Where a device connects, and with what. */
export interface OutboxDeviceOptions {
  /** `ws://…/sync`. */
  readonly url: string;
  readonly key: string;
  /** Asks for the current name of its outbox. */
  readonly nameOf: () => Promise<string>;
}

/** Pause before a name is asked for again after that failed. */
const RETRY_MS = 100;

/**
 * A device as far as its outbox goes: records are kept here until they are settled, and the unchanged y-websocket client
 * carries them. When the outbox is another one, what is unsettled goes into that.
 */
export class OutboxDevice {
  /** Names of the outboxes it has had, oldest first. */
  readonly names: string[] = [];
  readonly #options: OutboxDeviceOptions;
  readonly #records = new Map<string, IntentRecord>();
  #provider: WebsocketProvider | null = null;
  #isClosed = false;

  constructor(options: OutboxDeviceOptions) {
    this.#options = options;
    void this.#open();
  }

  /** Size of its outbox as a whole; 0 while it looks for the next one. */
  get documentBytes(): number {
    return this.#provider ? Y.encodeStateAsUpdate(this.#provider.doc).byteLength : 0;
  }

  /** Asks for these, in one update. */
  put(records: readonly IntentRecord[]): void {
    for (const record of records) this.#records.set(record.id, record);
    const doc = this.#provider?.doc;
    doc?.transact(() => records.forEach((record) => putIntent(doc, record)));
  }

  /** The ledger shows how these ended. */
  settle(ids: readonly string[]): void {
    for (const id of ids) this.#records.delete(id);
    if (this.#provider) removeRecords(this.#provider.doc, ids);
  }

  close(): void {
    this.#isClosed = true;
    if (this.#provider) end(this.#provider);
  }

  async #open(): Promise<void> {
    const { url, key, nameOf } = this.#options;
    const name = await nameOf().catch(() => null);
    if (this.#isClosed) return;
    if (name === null) {
      setTimeout(() => void this.#open(), RETRY_MS);
      return;
    }
    this.names.push(name);
    const doc = new Y.Doc();
    doc.transact(() => {
      for (const record of this.#records.values()) putIntent(doc, record);
    });
    const provider = new WebsocketProvider(url, name, doc, {
      params: { key },
      disableBc: true,
      maxBackoffTime: 300,
    });
    this.#provider = provider;
    provider.on('status', ({ status }) => {
      if (status === 'connected') provider.ws?.send(Buffer.from(encodeClock(Date.now())));
    });
    provider.on('closed', () => {
      end(provider);
      this.#provider = null;
      void this.#open();
    });
  }
}

/** Ends its awareness too: that has a timer of its own, which would keep the process alive. */
function end(provider: WebsocketProvider): void {
  provider.destroy();
  provider.awareness.destroy();
}
