import type { SegmentEntry } from '#shared/schemas/segment.ts';
import type { Cell } from './cell.ts';
import { ExportCalls } from './export-calls.ts';
import { frameBatch } from './frame-batch.ts';
import { FeedView } from './history/feed-view.ts';
import type { RowSource, RowSources } from './history/feed-view.ts';
import type { HeldPerformance, PerformanceSpan } from './history/held-performance.ts';
import type { HeldTimeline, TimelineWish } from './history/held-timeline.ts';
import type { HeldModelEvents, ModelEventSpan } from './history/model-events.ts';
import type { FeedPatch, FromHistory, ToHistory } from './history/messages.ts';
import { historyDaysCell, NO_HISTORY } from './history-state.ts';
import { changeStorageWishes, storageWishesCell } from './storage-wishes.ts';
import type { ActivityFeed, ActivityFilter, ExportHistory, HistoryDays, Result } from './types.ts';

interface OpenFeed {
  readonly view: FeedView;
  readonly cell: Cell<ActivityFeed>;
}

/** What the owner of a {@link HistoryClient} hears. */
export interface HistoryListener {
  /** How many rows the tail gave up that no segment on this device has yet. */
  readonly onUncovered: (rows: number) => void;
  readonly onStorageError: (message: string | null) => void;
}

/** The page's end of the history worker: sends what changed, keeps the feeds that components watch. */
export class HistoryClient {
  readonly #worker: Worker;
  readonly #listener: HistoryListener;
  readonly #feeds = new Map<number, OpenFeed>();
  readonly #calls = new Map<number, (result: Result<null>) => void>();
  readonly #samples = new Map<number, (held: HeldPerformance) => void>();
  readonly #events = new Map<number, (held: HeldModelEvents) => void>();
  readonly #timelines = new Map<number, (held: readonly HeldTimeline[]) => void>();
  readonly #exports = new ExportCalls((message) => this.#send(message));
  readonly #pending = new Map<number, ActivityFeed>();
  readonly #publish = frameBatch(() => this.#publishNow());
  #sources: RowSources = new Map();
  #days: HistoryDays | null = null;
  #nextId = 1;
  #unfollow: () => void = () => undefined;

  constructor(listener: HistoryListener) {
    this.#listener = listener;
    this.#worker = new Worker(new URL('./history.worker.ts', import.meta.url), { type: 'module' });
    this.#worker.addEventListener('message', (event: MessageEvent<FromHistory>) => this.#receive(event.data));
    this.#worker.addEventListener('error', (event) => listener.onStorageError(event.message));
  }

  /** Keeps segments in the database of that name; null: only while the page lives. Called first. */
  open(database: string | null): void {
    this.#send({ type: 'open', database });
    const tell = (): void => this.#send({ type: 'wishes', wishes: storageWishesCell.get() });
    tell();
    this.#unfollow();
    this.#unfollow = storageWishesCell.subscribe(tell);
  }

  setPolicy(policy: {
    readonly online: boolean;
    readonly writer: boolean;
    readonly serverOffsetMs: number;
  }): void {
    this.#send({ type: 'policy', ...policy });
  }

  setManifest(entries: readonly SegmentEntry[]): void {
    this.#send({ type: 'manifest', entries });
  }

  addTail(dictionary: readonly string[], items: readonly Uint8Array[], whole: boolean): void {
    this.#send({ type: 'tail', dictionary, items, whole });
  }

  /** Opens a feed into `cell`; the returned function ends it. */
  watch(filter: ActivityFilter, cell: Cell<ActivityFeed>): () => void {
    const queryId = this.#id();
    this.#feeds.set(queryId, { view: new FeedView(), cell });
    this.#send({ type: 'query', queryId, filter });
    return () => {
      this.#feeds.delete(queryId);
      this.#send({ type: 'end-query', queryId });
    };
  }

  readonly fetchDay = (day: string): Promise<Result<null>> => {
    const callId = this.#id();
    return new Promise((resolve) => {
      this.#calls.set(callId, resolve);
      this.#send({ type: 'fetch-day', callId, day });
    });
  };

  readonly exportAll: ExportHistory = (...call) => this.#exports.start(this.#id(), ...call);

  /** Samples that this device holds. */
  readonly performance = (span: PerformanceSpan): Promise<HeldPerformance> => {
    const callId = this.#id();
    return new Promise((resolve) => {
      this.#samples.set(callId, resolve);
      this.#send({ type: 'performance', callId, span });
    });
  };

  /** Transitions of models that this device holds. */
  readonly modelEvents = (span: ModelEventSpan): Promise<HeldModelEvents> => {
    const callId = this.#id();
    return new Promise((resolve) => {
      this.#events.set(callId, resolve);
      this.#send({ type: 'model-events', callId, span });
    });
  };

  /** What this device holds of hosts by bucket of time, one for each wish. */
  readonly timelines = (wishes: readonly TimelineWish[]): Promise<readonly HeldTimeline[]> => {
    const callId = this.#id();
    return new Promise((resolve) => {
      this.#timelines.set(callId, resolve);
      this.#send({ type: 'timelines', callId, wishes });
    });
  };

  /** Ends the worker; calls that wait are answered. */
  stop(): void {
    this.#worker.terminate();
    this.#unfollow();
    this.#exports.stop();
    this.#pending.clear();
    this.#days = null;
    historyDaysCell.set(NO_HISTORY);
    for (const answer of this.#calls.values()) void NO_HISTORY.fetchDay('').then(answer);
    this.#calls.clear();
  }

  #receive(message: FromHistory): void {
    switch (message.type) {
      case 'block':
        this.#setSource(message.blockId, message.block);
        return;
      case 'live-rows':
        this.#appendRows(message.blockId, message.rows);
        return;
      case 'drop-blocks': {
        const dropped = new Set(message.blockIds);
        this.#sources = new Map([...this.#sources].filter(([id]) => !dropped.has(id)));
        return;
      }
      case 'feed':
        this.#patch(message);
        return;
      case 'days':
        this.#days = {
          days: message.days,
          stored: message.stored,
          heldByKind: message.heldByKind,
          heldBytes: Object.values(message.heldByKind).reduce((sum, bytes) => sum + bytes, 0),
          progress: message.progress,
          fetchDay: this.fetchDay,
          exportAll: this.exportAll,
        };
        this.#publish();
        return;
      case 'days-arrived':
        changeStorageWishes(({ wantedDays }) => ({
          wantedDays: wantedDays.filter((day) => !message.days.includes(day)),
        }));
        return;
      case 'export-progress':
      case 'exported':
        this.#exports.receive(message);
        return;
      case 'day-fetched':
        this.#calls.get(message.callId)?.(message.error ?? { ok: true, status: 200, value: null });
        this.#calls.delete(message.callId);
        return;
      case 'performance':
        this.#samples.get(message.callId)?.(message.held);
        this.#samples.delete(message.callId);
        return;
      case 'model-events':
        this.#events.get(message.callId)?.(message.held);
        this.#events.delete(message.callId);
        return;
      case 'timelines':
        this.#timelines.get(message.callId)?.(message.held);
        this.#timelines.delete(message.callId);
        return;
      case 'uncovered':
        this.#listener.onUncovered(message.rows);
        return;
      case 'storage-error':
        this.#listener.onStorageError(message.message);
        return;
    }
  }

  #setSource(blockId: number, source: RowSource): void {
    this.#sources = new Map(this.#sources).set(blockId, source);
  }

  #appendRows(blockId: number, rows: Extract<FromHistory, { type: 'live-rows' }>['rows']): void {
    const known = this.#sources.get(blockId);
    // Growing in place is safe: what is there stays where it is.
    if (Array.isArray(known)) known.push(...rows);
    else this.#setSource(blockId, [...rows]);
  }

  #patch(patch: FeedPatch): void {
    const feed = this.#feeds.get(patch.queryId);
    if (!feed) return;
    this.#pending.set(patch.queryId, feed.view.apply(patch, this.#sources));
    this.#publish();
  }

  #publishNow(): void {
    if (this.#days) historyDaysCell.set(this.#days);
    this.#days = null;
    for (const [queryId, feed] of this.#pending) this.#feeds.get(queryId)?.cell.set(feed);
    this.#pending.clear();
  }

  #send(message: ToHistory): void {
    this.#worker.postMessage(message, []);
  }

  #id(): number {
    const id = this.#nextId;
    this.#nextId += 1;
    return id;
  }
}
