import type { IntentState, IntentView } from '#shared/schemas/intent.ts';
import { isTerminal } from '#shared/schemas/intent.ts';
import type { Cell } from '../cell.ts';
import { createCell } from '../cell.ts';
import { IntentDesk } from '../intents/intent-desk.ts';
import { MemoryQueueStore } from '../intents/memory-queue-store.ts';
import { OutboxLink } from '../intents/outbox-link.ts';
import type { QueueNews } from '../intents/queue-rows.ts';
import type { QueueStore, RowChange } from '../intents/queue-store.ts';
import type { IntentEntry, OutboxState } from '../intents/types.ts';
import type { ConnectionState, Session } from '../types.ts';
import { intentViewOf } from './intents.ts';
import { DocumentServer } from './document-server.ts';

/** A store that can be made to refuse, as a browser without room does. */
export class FaultyQueueStore implements QueueStore {
  readonly #store: QueueStore;
  refuses = false;

  constructor(store: QueueStore = new MemoryQueueStore()) {
    this.#store = store;
  }

  /** What is on disk, whether it can be read now or not. */
  onDisk(): ReturnType<QueueStore['load']> {
    return this.#store.load();
  }

  load(): ReturnType<QueueStore['load']> {
    return this.refuses ? Promise.reject(new Error('no room')) : this.#store.load();
  }

  change(...args: Parameters<QueueStore['change']>): Promise<RowChange> {
    return this.refuses ? Promise.reject(new Error('no room')) : this.#store.change(...args);
  }

  close(): void {
    // It outlives the tab that closes it.
  }
}

/** One browser: its tabs share a store and hear of each other; all of them talk to one collector. */
export class IntentRig {
  readonly server: DocumentServer;
  readonly store = new FaultyQueueStore();
  readonly ledger = createCell<ReadonlyMap<string, IntentView>>(new Map());
  readonly session = createCell<Session>({
    status: 'signed-in',
    role: 'operator',
    device: { id: 'd1', label: 'ana-phone' },
  });
  readonly outboxName: Cell<string | null> = createCell<string | null>('outbox:d1@e1');
  /** What `GET /api/info` will say the outbox is called. */
  nextName: string | null = null;
  readonly connection = createCell<ConnectionState>({
    kind: 'live',
    since: 0,
    dataAsOf: 0,
    lastSyncAt: 0,
    storage: 'saved',
    storageError: null,
    unsyncedReason: null,
  });
  readonly #listeners = new Set<() => void>();

  private constructor(server: DocumentServer) {
    this.server = server;
  }

  static async start(): Promise<IntentRig> {
    return new IntentRig(await DocumentServer.start());
  }

  /** Opens a tab. With `url` null there is no network. */
  tab(options: { readonly online?: boolean; readonly storage?: 'saved' | 'insecure' } = {}): Tab {
    return new Tab(this, options.online ?? true, options.storage ?? 'saved');
  }

  news(): QueueNews {
    let own: (() => void) | null = null;
    return {
      tell: () => {
        for (const listener of this.#listeners) if (listener !== own) queueMicrotask(listener);
      },
      onNews: (listener) => {
        own = listener;
        this.#listeners.add(listener);
      },
      close: () => {
        if (own) this.#listeners.delete(own);
      },
    };
  }

  /** What the outbox document of this device holds at the collector. */
  sent(name = 'outbox:d1@e1'): readonly string[] {
    return [...this.server.read(name).intents.keys()].sort();
  }

  /** The collector says so in its ledger. */
  say(id: string, state: IntentState, code: string | null = null): void {
    const known = this.ledger.get().get(id);
    const at = Date.now();
    const view: IntentView = {
      ...(known ?? intentViewOf(id, at)),
      state,
      code,
      endedAt: isTerminal(state) ? at : null,
      transitions: [...(known?.transitions ?? []), { state, at, by: 'collector' }],
    };
    this.ledger.set(new Map(this.ledger.get()).set(id, view));
  }
}

/** One page of the app. */
export class Tab {
  readonly desk: IntentDesk;
  readonly #closing = new AbortController();
  readonly #watchers = new Set<() => void>();
  entries: readonly IntentEntry[] = [];
  outbox: OutboxState | null = null;
  fates = new Map<string, IntentView | null>();
  keeps = 0;

  constructor(rig: IntentRig, online: boolean, storage: 'saved' | 'insecure') {
    this.desk = new IntentDesk({
      store: rig.store,
      storage,
      news: rig.news(),
      ledger: rig.ledger,
      session: rig.session,
      connection: rig.connection,
      outboxName: rig.outboxName,
      offsetMs: () => 0,
      // A port that nobody listens on is what "no network" looks like.
      openLink: (name, listener) =>
        new OutboxLink(online ? rig.server.url : 'ws://127.0.0.1:9', name, listener),
      refresh: async () => {
        await Promise.resolve();
        if (rig.nextName !== null) rig.outboxName.set(rig.nextName);
      },
      fateOf: (id) => Promise.resolve(this.fates.has(id) ? (this.fates.get(id) ?? null) : 'no-answer'),
      onQueued: () => {
        this.keeps += 1;
      },
      output: {
        showIntents: (entries) => {
          this.entries = entries;
          this.#moved();
        },
        showOutbox: (outbox) => {
          this.outbox = outbox;
          this.#moved();
        },
      },
    });
    this.desk.start(this.#closing.signal);
  }

  stateOf(id: string): string | undefined {
    return this.entries.find((entry) => entry.id === id)?.state;
  }

  /** Resolves as soon as what is on screen is as asked for. */
  until(isReached: (tab: Tab) => boolean): Promise<void> {
    if (isReached(this)) return Promise.resolve();
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isReached(this)) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
    });
  }

  /** As a tab that is closed, or crashes: nothing is said or written any more. */
  close(): void {
    this.#closing.abort();
  }

  #moved(): void {
    for (const watcher of this.#watchers) watcher();
  }
}
