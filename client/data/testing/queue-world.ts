import type { IntentView } from '#shared/schemas/intent.ts';
import type { IntentRecord } from '#shared/schemas/intent-request.ts';
import { createCell } from '../cell.ts';
import { IntentDesk } from '../intents/intent-desk.ts';
import type { OutboxRecords, RecordLink } from '../intents/outbox-link.ts';
import type { QueueRow } from '../intents/queue-row.ts';
import { expiryOf } from '../intents/row-rules.ts';
import type { OutboxState } from '../intents/types.ts';
import type { ConnectionState, Result, Session } from '../types.ts';
import { FaultyQueueStore } from './intent-rig.ts';
import { intentViewOf, loadDraft } from './intents.ts';

interface Page {
  desk: IntentDesk;
  closing: AbortController;
  isUp: boolean;
  onInStep: () => void;
  outbox: OutboxState | null;
}

/** Two tabs, one store and a collector, all in memory and driven by a test's clock: what happens in between is up to it. */
export class QueueWorld {
  /** Every id that a desk gave out, and whether it said that it was not stored. */
  readonly made = new Map<string, { readonly unsaved: boolean }>();
  /** Every different record that came to the collector under an id, as text. */
  readonly arrived = new Map<string, ReadonlySet<string>>();
  /** Older and newer of each change of expiry. */
  readonly replaced: (readonly [string, string])[] = [];
  /** What a desk showed as dropped. */
  readonly takenBackHere = new Set<string>();
  readonly #store = new FaultyQueueStore();
  readonly #ledger = createCell<ReadonlyMap<string, IntentView>>(new Map());
  readonly #session = createCell<Session>({
    status: 'signed-in',
    role: 'operator',
    device: { id: 'd1', label: 'ana-phone' },
  });
  readonly #connection = createCell<ConnectionState>({
    kind: 'live',
    since: 0,
    dataAsOf: 0,
    lastSyncAt: 0,
    storage: 'saved',
    storageError: null,
    unsyncedReason: null,
  });
  readonly #outboxName = createCell<string | null>('outbox:d1@e1');
  readonly #document = { intents: new Map<string, IntentRecord>(), cancels: new Set<string>() };
  readonly #news = new Set<() => void>();
  readonly #pages: Page[];

  constructor() {
    this.#pages = [this.#open(true), this.#open(true)];
  }

  async rows(): Promise<ReadonlyMap<string, QueueRow>> {
    return new Map((await this.#store.onDisk()).map((row) => [row.id, row]));
  }

  /** True once the collector began to do it. */
  hasBegun(id: string): boolean {
    const state = this.#ledger.get().get(id)?.state;
    return state === 'claimed' || state === 'succeeded';
  }

  queue(index: number, ttlMs: number | undefined): void {
    const { desk } = this.#page(index);
    void desk.queue(loadDraft(ttlMs === undefined ? {} : { ttlMs })).then((made) => this.#note(made));
  }

  changeExpiry(where: { readonly tab: number; readonly pick: number }, untilMs: number): void {
    this.act(async (id, desk) => {
      const made = await desk.changeExpiry(id, untilMs);
      await this.#note(made);
      if (made.ok) this.replaced.push([id, made.value.id]);
    }, where);
  }

  /** Does something to one of the intents that were made, without waiting for it. */
  act(
    what: (id: string, desk: IntentDesk) => Promise<unknown>,
    { tab, pick }: { readonly tab: number; readonly pick: number },
  ): void {
    const ids = [...this.made.keys()];
    const id = ids[pick % Math.max(1, ids.length)];
    if (id !== undefined) void what(id, this.#page(tab).desk);
  }

  decide(index: number, send: boolean): void {
    const { desk, outbox } = this.#page(index);
    const ids = outbox?.review?.ids ?? [];
    void desk.decideReview(send ? ids : [], send ? [] : ids);
  }

  /** A page dies in the middle of whatever it does, and is opened again. */
  crash(index: number): void {
    const { closing, isUp } = this.#page(index);
    closing.abort();
    this.#pages[index] = this.#open(isUp);
  }

  setNetwork(index: number, isUp: boolean): void {
    const page = this.#page(index);
    page.isUp = isUp;
    if (isUp) page.onInStep();
  }

  setStorage(isFull: boolean): void {
    this.#store.refuses = isFull;
  }

  /** The collector begins one of those that it has, and is done with it at once. */
  claim(pick: number): void {
    const open = [...this.#ledger.get().values()].filter(({ state }) => state === 'received');
    const view = open[pick % Math.max(1, open.length)];
    if (view) this.#say({ ...view, state: 'succeeded', endedAt: Date.now() });
  }

  stop(): void {
    for (const { closing } of this.#pages) closing.abort();
  }

  #page(index: number): Page {
    const page = this.#pages[index];
    if (page === undefined) throw new Error(`there is no tab ${index}`);
    return page;
  }

  async #note(made: Result<{ readonly id: string }>): Promise<void> {
    if (!made.ok) return;
    const { id } = made.value;
    this.made.set(id, { unsaved: true });
    const rows = await this.rows();
    this.made.set(id, { unsaved: !rows.has(id) });
  }

  #open(isUp: boolean): Page {
    const page: Partial<Page> & Omit<Page, 'desk'> = {
      closing: new AbortController(),
      isUp,
      onInStep: () => undefined,
      outbox: null,
    };
    const { signal } = page.closing;
    let onNews: (() => void) | null = null;
    const desk = new IntentDesk({
      store: this.#store,
      storage: 'saved',
      news: {
        tell: () => {
          for (const listener of this.#news) if (listener !== onNews) queueMicrotask(listener);
        },
        onNews: (listener) => {
          onNews = () => {
            if (!signal.aborted) listener();
          };
          this.#news.add(onNews);
        },
        close: () => {
          if (onNews) this.#news.delete(onNews);
        },
      },
      ledger: this.#ledger,
      session: this.#session,
      connection: this.#connection,
      outboxName: this.#outboxName,
      offsetMs: () => 0,
      openLink: (_name, { onInStep }) => {
        page.onInStep = onInStep;
        if (page.isUp) queueMicrotask(onInStep);
        return this.#link(page, signal);
      },
      refresh: () => Promise.resolve(),
      fateOf: () => Promise.resolve('no-answer'),
      onQueued: () => undefined,
      output: {
        showIntents: (entries) => {
          for (const { id, state } of entries) if (state === 'dropped') this.takenBackHere.add(id);
        },
        showOutbox: (outbox) => {
          page.outbox = outbox;
        },
      },
    });
    desk.start(signal);
    return Object.assign(page, { desk });
  }

  #link(page: { readonly isUp: boolean }, signal: AbortSignal): RecordLink {
    const document = this.#document;
    return {
      get isInStep() {
        return page.isUp && !signal.aborted;
      },
      put: (records) => {
        if (!signal.aborted) this.#put(records);
      },
      remove: (ids) => {
        for (const id of ids) {
          document.intents.delete(id);
          document.cancels.delete(id);
        }
      },
      ids: () => [...document.intents.keys(), ...document.cancels],
      reconnectNow: () => undefined,
      close: () => undefined,
    };
  }

  /** As the collector takes an update: cancels first, each id once. */
  #put({ intents, cancels }: OutboxRecords): void {
    const fresh = [...intents].filter(([id]) => !this.#document.intents.has(id));
    for (const id of cancels.keys()) {
      this.#document.cancels.add(id);
      const view = this.#ledger.get().get(id);
      if (view?.state === 'received') this.#say({ ...view, state: 'cancelled', endedAt: Date.now() });
    }
    for (const [id, record] of fresh) {
      this.#document.intents.set(id, record);
      this.arrived.set(id, new Set(this.arrived.get(id)).add(JSON.stringify(record)));
      if (this.#ledger.get().has(id)) continue;
      const isVoid = Date.now() >= expiryOf(record);
      const isCancelled = this.#document.cancels.has(id);
      const state = isVoid ? 'expired' : isCancelled ? 'cancelled' : 'received';
      const view = intentViewOf(id);
      this.#say({ ...view, state, endedAt: state === 'received' ? null : Date.now() });
    }
  }

  #say(view: IntentView): void {
    const transitions = [...view.transitions, { state: view.state, at: Date.now(), by: 'collector' }];
    this.#ledger.set(new Map(this.#ledger.get()).set(view.id, { ...view, transitions }));
  }
}
