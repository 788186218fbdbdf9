import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { SegmentEntry } from '#shared/schemas/segment.ts';
import { readItems } from '#sync/tail-codec.ts';
import { DEFAULT_BUDGET_BYTES } from '../default-budget.ts';
import { DayCalls } from './day-calls.ts';
import { DayWishes } from './day-wishes.ts';
import { HistoryExports } from './history-exports.ts';
import { heldByKind, storedDays } from './stored-days.ts';
import { historyDays, segmentsOfDay } from './history-days.ts';
import { heldPerformance } from './held-performance.ts';
import type { HashBytes } from './history-library.ts';
import { HistoryLibrary } from './history-library.ts';
import { FeedBoard } from './feed-board.ts';
import { FetchProgress } from './fetch-progress.ts';
import type { FromHistory, ToHistory } from './messages.ts';
import { ModelEventRows } from './model-events.ts';
import { readTimelines } from './read-timelines.ts';
import { blockRowKey, rowKey } from './row-key.ts';
import { blockSize } from './row-block.ts';
import { SegmentFetcher } from './segment-fetcher.ts';
import type { SegmentFetcherOptions } from './segment-fetcher.ts';
import type { SegmentStore } from './segment-store.ts';
import { EAGER_MS, planStorage } from './storage-plan.ts';
import { Settling } from './settling.ts';
import { TailRows } from './tail-rows.ts';

/** What the engine needs from outside; the worker gives the real things. */
export interface HistoryEngineOptions {
  /** `onLost`: what was held may be gone. */
  readonly openStore: (database: string | null, onLost: () => void) => SegmentStore;
  readonly fetchSegment: SegmentFetcherOptions['fetchSegment'];
  readonly hashBytes: HashBytes;
  readonly post: (message: FromHistory, transfer?: Transferable[]) => void;
  readonly now: () => number;
  readonly setTimer: (task: () => void, delayMs: number) => void;
}

/** Blobs arrive in bursts: ordering 100,000 rows anew for each of them would be waste. */
const SETTLE_MS = 250;
/** How long after a trim the manifest may take to name its segment: rows that none names by then were deleted (a demo's). */
const UNLISTED_MS = 10_000;
/** A growing block is put into columns past this many rows. */
const LIVE_ROWS_MAX = 5_000;

/**
 * Everything about activity that is not drawing: fetches and keeps sealed segments, decodes them and the tail, filters and
 * orders rows, and tells the page what changed. Runs in a worker; one step at a time, so that no state is seen half-way.
 */
export class HistoryEngine {
  readonly #options: HistoryEngineOptions;
  readonly #fetcher: SegmentFetcher;
  readonly #tail = new TailRows<ActivityRow>({ keyOf: rowKey, timeOf: ({ endedAt }) => endedAt });
  readonly #events = new ModelEventRows();
  readonly #board: FeedBoard;
  readonly #exports: HistoryExports;
  readonly #wishes = new DayWishes(DEFAULT_BUDGET_BYTES);
  #library: HistoryLibrary;
  #listed: readonly SegmentEntry[] | null = null;
  #eager: readonly SegmentEntry[] = [];
  #missesEager = false;
  #pinned = new Map<string, number>();
  readonly #calls = new DayCalls();
  #writer = false;
  #online = false;
  #offsetMs = 0;
  #uncovered: number | null = 0;
  readonly #progress = new FetchProgress();
  readonly #settling: Settling;

  constructor(options: HistoryEngineOptions) {
    this.#options = options;
    this.#settling = new Settling(options.setTimer, () => this.#settle());
    this.#library = this.#makeLibrary(null);
    this.#exports = new HistoryExports(options.post);
    this.#board = new FeedBoard({ post: options.post, tail: this.#tail });
    this.#fetcher = new SegmentFetcher({
      fetchSegment: options.fetchSegment,
      accept: (entry, bytes) => this.#library.accept(entry, bytes, this.#pinned.get(entry.hash) ?? null),
      onChange: () => this.#onFetched(),
      setTimer: options.setTimer,
    });
  }

  /** Takes a message of the page; steps run one after another. Resolves when this one is done. */
  handle(message: ToHistory): Promise<void> {
    // Months of rows take a while: each segment is a step of its own, and what is shown meanwhile is not held up.
    if (message.type === 'timelines') return this.#answerTimelines(message);
    return this.#settling.step(() => this.#step(message));
  }

  async #answerTimelines({
    callId,
    wishes,
  }: Extract<ToHistory, { readonly type: 'timelines' }>): Promise<void> {
    const held = await readTimelines(wishes, {
      library: () => this.#library,
      listed: () => this.#listed,
      tail: this.#tail,
      step: (task) => this.#settling.step(task),
    });
    this.#options.post({ type: 'timelines', callId, held });
  }

  async #step(message: Exclude<ToHistory, { readonly type: 'timelines' }>): Promise<void> {
    switch (message.type) {
      case 'open':
        this.#library = this.#makeLibrary(message.database);
        await this.#lookAgain();
        return;
      case 'policy':
        this.#writer = message.writer;
        this.#offsetMs = message.serverOffsetMs;
        this.#online = message.online;
        this.#fetcher.setOnline(message.online);
        this.#settleSoon();
        return;
      case 'manifest':
        // Until then nothing could be fetched.
        if (this.#listed === null) this.#settleSoon(0);
        this.#listed = message.entries;
        this.#fetcher.forgive();
        // A day that was opened by its address is asked for before anybody knows what it consists of.
        for (const day of this.#board.days()) await this.#look(day);
        for (const day of this.#wishes.wanted) await this.#pin(day);
        await this.#lookAgain();
        return;
      case 'tail':
        this.#takeTail(message.items, message.dictionary, message.whole);
        return;
      case 'query':
        this.#board.open(message.queryId, message.filter);
        if (message.filter.day) await this.#look(message.filter.day);
        this.#settleSoon(0);
        return;
      case 'end-query':
        this.#board.close(message.queryId);
        return;
      case 'fetch-day':
        await this.#fetchDay(message.callId, message.day);
        return;
      case 'wishes':
        this.#wishes.set(message.wishes);
        for (const day of this.#wishes.wanted) await this.#pin(day);
        this.#settleSoon(0);
        return;
      case 'export':
        void this.#exports.run(message, {
          library: this.#library,
          unsealed: { activity: this.#tail.rows(), 'model-events': this.#events.unsealed() },
        });
        return;
      case 'cancel-export':
        this.#exports.cancel(message.callId);
        return;
      case 'performance': {
        const held = heldPerformance(await this.#library.samples(message.span.hostId), message.span);
        this.#options.post({ type: 'performance', callId: message.callId, held });
        return;
      }
      case 'model-events': {
        const held = await this.#events.read(message.span, { library: this.#library, listed: this.#listed });
        this.#options.post({ type: 'model-events', callId: message.callId, held });
      }
    }
  }

  /** Other tabs store too, and the browser may clear: what is held is asked, not remembered. */
  async #lookAgain(): Promise<void> {
    await this.#library.refresh();
    this.#settleSoon();
  }

  #takeTail(items: readonly Uint8Array[], dictionary: readonly string[], whole: boolean): void {
    const { rows } = readItems(items, dictionary);
    const activity = rows.filter((row) => row.type !== 'model-event');
    const events = rows.filter((row) => row.type === 'model-event');
    this.#events.take(events, whole, this.#now());
    const fresh = this.#tail.take(activity, whole, this.#now());
    this.#board.addLive(fresh, this.#now());
    if (whole || this.#board.liveRows > LIVE_ROWS_MAX) {
      this.#board.tailChanged();
      this.#settleSoon();
    }
    // A trim is always answered, also with 0: the page holds its copy of the tail until then.
    if (whole) this.#uncovered = null;
    this.#reportUncovered();
    if (whole && this.#heldCount() > 0)
      this.#options.setTimer(() => this.#settleSoon(0), UNLISTED_MS + SETTLE_MS);
  }

  async #fetchDay(callId: number, day: string): Promise<void> {
    this.#calls.add(callId, await this.#pin(day));
    this.#fetcher.forgive();
    this.#settleSoon(0);
  }

  /** Who looks at a day wants it, now or when the collector is back; one that was taken off must be asked for again. */
  async #look(day: string): Promise<void> {
    if (!this.#wishes.isSkipped(day)) await this.#pin(day, 'activity');
  }

  /** Asks for a day, of one kind or of all. */
  async #pin(day: string, only?: SegmentEntry['kind']): Promise<readonly SegmentEntry[]> {
    const entries = segmentsOfDay(this.#listed ?? [], day, only);
    const now = this.#now();
    for (const entry of entries) {
      this.#pinned.set(entry.hash, now);
      await this.#library.pin(entry, now);
    }
    return entries;
  }

  /** Brings plan, feeds and what the page knows in step, once for everything that changed meanwhile. */
  #settleSoon(delayMs = SETTLE_MS): void {
    this.#settling.soon(delayMs);
  }

  async #settle(): Promise<void> {
    const now = this.#now();
    await this.#plan(now);
    // What comes while the rest is done may have no place: the next settle knows.
    const placed = this.#calls.entries().filter((entry) => this.#library.isHeld(entry));
    this.#tail.expire(now - EAGER_MS);
    await this.#cover();
    this.#letGo(now);
    await this.#board.rebuild({ now, listed: this.#listed, library: this.#library });
    this.#reportUncovered();
    this.#reportDays(now);
    this.#reportArrived();
    this.#answerCalls(new Set(placed.map(({ hash }) => hash)));
  }

  async #plan(now: number): Promise<void> {
    const facts = { listed: this.#listed, held: this.#library.held(), now };
    const plan = planStorage({ ...facts, ...this.#wishes.plan() });
    // By a manifest in step only: one from this device's copy may be older than what is held, and away nothing comes back.
    if (this.#writer && this.#online) await this.#library.drop(plan.drop);
    // What has no place here is not asked for again, or it would come and go for ever.
    for (const hash of plan.drop) this.#pinned.delete(hash);
    const asked = (this.#listed ?? []).filter(
      (entry) => this.#pinned.has(entry.hash) && !this.#library.isHeld(entry),
    );
    const background = this.#writer ? plan.background : [];
    this.#eager = plan.eager;
    this.#missesEager = this.#isAwaited(plan.eager);
    // What may take its time would take the line from what somebody waits for.
    const wanted = [...asked, ...plan.eager, ...(this.#missesEager ? [] : background)];
    this.#fetcher.want([...new Map(wanted.map((entry) => [entry.hash, entry])).values()]);
    const isAsked = asked.length > 0 || plan.eager.length > 0;
    this.#progress.update(
      this.#online
        ? [...asked, ...plan.eager, ...background].filter((entry) => this.#isAwaited([entry]))
        : [],
      !isAsked,
    );
  }

  /** The last of what is shown first does not wait for company. */
  #onFetched(): void {
    const missed = this.#missesEager;
    this.#missesEager = this.#isAwaited(this.#eager);
    this.#settleSoon(missed && !this.#missesEager ? 0 : SETTLE_MS);
  }

  #isAwaited(entries: readonly SegmentEntry[]): boolean {
    return entries.some(
      (entry) => !this.#library.isHeld(entry) && this.#fetcher.failure(entry.hash) === null,
    );
  }

  /** Rows that the tail gave up are let go when a segment on this device has them. */
  async #cover(): Promise<void> {
    await this.#events.cover(this.#library);
    const span = this.#tail.heldSpan();
    if (!span) return;
    for (const { hash, kind, from, to } of this.#library.held()) {
      if (kind !== 'activity' || to < span.from || from > span.to) continue;
      const block = await this.#library.rows(hash);
      if (!block) continue;
      const size = blockSize(block);
      this.#tail.cover(Array.from({ length: size }, (_, row) => blockRowKey(block, row)));
    }
  }

  /** Rows that the tail gave up and no segment will bring are gone from the collector. */
  #letGo(now: number): void {
    if (!this.#online || this.#listed === null) return;
    const missing = this.#listed.filter((entry) => !this.#library.isHeld(entry));
    this.#events.letGo(missing, now - UNLISTED_MS);
    const awaited = missing.filter(({ kind }) => kind === 'activity');
    const isGone = this.#tail.letGo(
      ({ endedAt }, trimmedAt) =>
        now - trimmedAt >= UNLISTED_MS && !awaited.some(({ from, to }) => endedAt >= from && endedAt <= to),
    );
    if (isGone) this.#board.tailChanged();
  }

  #answerCalls(placed: ReadonlySet<string>): void {
    const answers = this.#calls.settle({
      placed,
      failureOf: (hash) => this.#fetcher.failure(hash),
      hasPlace: (hash) => this.#pinned.has(hash),
      online: this.#online,
    });
    for (const answer of answers) this.#options.post({ type: 'day-fetched', ...answer });
  }

  #reportDays(now: number): void {
    const listed = this.#listed ?? [];
    const isHeld = (entry: SegmentEntry): boolean => this.#library.isHeld(entry);
    this.#options.post({
      type: 'days',
      days: historyDays(listed, isHeld, now),
      stored: storedDays(listed, isHeld, now),
      heldByKind: heldByKind(this.#library.held()),
      progress: this.#progress.value(),
    });
  }

  /** By a manifest in step only: one of this device's copy may not know yet what the day consists of. */
  #reportArrived(): void {
    if (!this.#online || this.#listed === null) return;
    const days = this.#wishes.arrived(this.#listed, (entry) => this.#library.isHeld(entry));
    if (days.length > 0) this.#options.post({ type: 'days-arrived', days });
  }

  #reportUncovered(): void {
    const rows = this.#heldCount();
    if (rows === this.#uncovered) return;
    this.#uncovered = rows;
    this.#options.post({ type: 'uncovered', rows });
  }

  #heldCount(): number {
    return this.#tail.heldCount + this.#events.heldCount;
  }

  #makeLibrary(database: string | null): HistoryLibrary {
    return new HistoryLibrary({
      store: this.#options.openStore(database, () => void this.#settling.step(() => this.#lookAgain())),
      hashBytes: this.#options.hashBytes,
      onStorageError: (message) => this.#options.post({ type: 'storage-error', message }),
    });
  }

  #now(): number {
    return this.#options.now() + this.#offsetMs;
  }
}
