import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { SegmentEntry } from '#shared/schemas/segment.ts';
import type { ActivityFilter } from '../types.ts';
import { BlockRegistry } from './block-registry.ts';
import { coveredFrom, missingDays } from './coverage.ts';
import type { NumberedBlock, OrderChange } from './feed-order.ts';
import { FeedOrder, MAX_FEED_ROWS } from './feed-order.ts';
import type { HistoryLibrary } from './history-library.ts';
import { dayBounds } from './local-day.ts';
import type { FromHistory } from './messages.ts';
import { blockOf, transferableBlock } from './row-block.ts';
import type { TimeWindow } from './row-filter.ts';
import { EAGER_MS } from './storage-plan.ts';
import type { TailRows } from './tail-rows.ts';

interface Feed {
  readonly filter: ActivityFilter;
  readonly order: FeedOrder;
  window: TimeWindow;
  /** False until it was built once: live rows before that come with the build. */
  built: boolean;
}

interface Coverage {
  readonly from: number | null;
  readonly missing: (window: TimeWindow) => readonly string[];
}

/** What {@link FeedBoard.rebuild} needs to know. */
export interface RebuildFacts {
  readonly now: number;
  readonly listed: readonly SegmentEntry[] | null;
  readonly library: HistoryLibrary;
}

/** The feeds that pages look at: their blocks, their order, and what the page was told of them. */
export class FeedBoard {
  readonly #post: (message: FromHistory, transfer?: Transferable[]) => void;
  readonly #tail: TailRows<ActivityRow>;
  readonly #registry = new BlockRegistry();
  readonly #feeds = new Map<number, Feed>();
  /** Decoded segments by hash. */
  #decoded = new Map<string, NumberedBlock>();
  #liveBlockId: number;
  #liveRows = 0;
  /** Growing blocks that were put into columns since: the page may forget them with the next build. */
  #outdated: number[] = [];
  #tailChanged = false;
  #builtFrom = '';
  #coverage: Coverage = { from: null, missing: () => [] };

  constructor(options: {
    readonly post: (message: FromHistory, transfer?: Transferable[]) => void;
    readonly tail: TailRows<ActivityRow>;
  }) {
    this.#post = options.post;
    this.#tail = options.tail;
    this.#liveBlockId = this.#registry.reserve();
  }

  /** Rows in the growing block since it was last put into columns. */
  get liveRows(): number {
    return this.#liveRows;
  }

  open(queryId: number, filter: ActivityFilter): void {
    this.#feeds.set(queryId, {
      filter,
      order: new FeedOrder(filter),
      window: { from: 0, to: 0 },
      built: false,
    });
  }

  /** Days that somebody looks at now. */
  days(): readonly string[] {
    return [...new Set([...this.#feeds.values()].flatMap(({ filter }) => filter.day ?? []))];
  }

  close(queryId: number): void {
    this.#feeds.delete(queryId);
  }

  /** Shows rows that just came, in the feeds they match. */
  addLive(rows: readonly ActivityRow[], now: number): void {
    if (rows.length === 0 || this.#feeds.size === 0) return;
    const block = blockOf(rows);
    const ordered = [...rows.filter((row) => row.type === 'request'), ...block.gaps];
    const firstRow = this.#liveRows;
    this.#liveRows += ordered.length;
    this.#post({ type: 'live-rows', blockId: this.#liveBlockId, rows: ordered });
    for (const [queryId, feed] of this.#feeds) {
      if (!feed.built) continue;
      feed.window = windowOf(feed.filter, now);
      const change = feed.order.add({ id: this.#liveBlockId, block }, firstRow, feed.window);
      if (change) this.#postFeed(queryId, feed, change, true);
    }
  }

  /** The tail gave rows up, or holds too many that are not in columns: the next {@link rebuild} orders anew. */
  tailChanged(): void {
    this.#tailChanged = true;
  }

  /** Builds the feeds from what this device holds now: segments first, then the tail, which has less of a row. */
  async rebuild(facts: RebuildFacts): Promise<void> {
    const { now, listed, library } = facts;
    const isHeld = (entry: SegmentEntry): boolean => library.isHeld(entry);
    this.#coverage = {
      from: coveredFrom({ listed, isHeld, tailFrom: this.#tail.oldest() }),
      missing: (window) => missingDays({ listed, isHeld }, window),
    };
    for (const feed of this.#feeds.values()) feed.window = windowOf(feed.filter, now);
    const wanted = this.#wantedSegments(library);
    const builtFrom = wanted.join();
    const isFirst = [...this.#feeds.values()].some((feed) => !feed.built);
    if (!isFirst && !this.#tailChanged && builtFrom === this.#builtFrom) {
      this.#postCoverage();
      return;
    }
    // The newest rows come from the tail: they are shown before the first segment is decoded.
    if (isFirst) this.#build(false);
    await this.#decode(wanted, library);
    this.#build(true);
    this.#builtFrom = builtFrom;
    this.#tailChanged = false;
  }

  #wantedSegments(library: HistoryLibrary): readonly string[] {
    const wanted = new Set<string>();
    for (const feed of this.#feeds.values()) {
      let rows = 0;
      for (const segment of newestFirst(library, feed.window)) {
        if (rows >= MAX_FEED_ROWS) break;
        rows += segment.rows;
        wanted.add(segment.hash);
      }
    }
    return [...wanted];
  }

  async #decode(wanted: readonly string[], library: HistoryLibrary): Promise<void> {
    const keep = new Set(wanted);
    for (const hash of this.#decoded.keys()) if (!keep.has(hash)) this.#decoded.delete(hash);
    for (const hash of wanted) {
      if (this.#decoded.has(hash)) continue;
      const block = await library.rows(hash);
      if (!block) continue;
      const numbered = { id: this.#registry.add(block), block };
      this.#decoded.set(hash, numbered);
      this.#sendBlock(numbered);
    }
  }

  #build(complete: boolean): void {
    const tail = blockOf(this.#tail.rows());
    const numberedTail = { id: this.#registry.add(tail), block: tail };
    this.#sendBlock(numberedTail);
    this.#outdated.push(this.#liveBlockId);
    this.#liveBlockId = this.#registry.reserve();
    this.#liveRows = 0;
    const blocks = [...this.#decoded.values(), numberedTail];
    for (const [queryId, feed] of this.#feeds) {
      if (!complete && feed.built) continue;
      feed.built = true;
      this.#postFeed(queryId, feed, feed.order.rebuild(blocks, feed.window), complete);
    }
    if (!complete) return;
    const dropped = [...this.#outdated, ...this.#registry.retain(new Set(blocks.map(({ id }) => id)))];
    this.#outdated = [];
    this.#post({ type: 'drop-blocks', blockIds: dropped });
  }

  /** Only how far back this device sees may have changed. */
  #postCoverage(): void {
    for (const [queryId, feed] of this.#feeds) {
      this.#postFeed(queryId, feed, { keep: feed.order.size, refs: new Uint32Array() }, true);
    }
  }

  #sendBlock({ id, block }: NumberedBlock): void {
    const copy = transferableBlock(block);
    this.#post({ type: 'block', blockId: id, block: copy.block }, copy.transfer);
  }

  #postFeed(queryId: number, feed: Feed, { keep, refs }: OrderChange, ready: boolean): void {
    const { order, window } = feed;
    this.#post(
      {
        type: 'feed',
        queryId,
        keep,
        refs,
        ready,
        failed: order.failed,
        gaps: order.gaps,
        tally: order.tally(),
        from: order.truncated ? order.oldest : this.#coverage.from,
        missingDays: this.#coverage.missing(window),
      },
      [refs.buffer],
    );
  }
}

function newestFirst(
  library: HistoryLibrary,
  window: TimeWindow,
): { readonly hash: string; readonly rows: number }[] {
  return library
    .held()
    .filter(({ kind, from, to }) => kind === 'activity' && to >= window.from && from < window.to)
    .sort((a, b) => b.to - a.to);
}

function windowOf(filter: ActivityFilter, now: number): TimeWindow {
  if (filter.all === true) return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  const bounds = filter.day === null || filter.day === undefined ? null : dayBounds(filter.day);
  return bounds ?? { from: now - EAGER_MS, to: Number.POSITIVE_INFINITY };
}
