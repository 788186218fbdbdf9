import type { ActivityFilter, ActivityTally } from '../types.ts';
import type { RowBlock } from './row-block.ts';
import { blockSize, endedAtOf } from './row-block.ts';
import type { TimeWindow } from './row-filter.ts';
import { FeedTally } from './feed-tally.ts';
import { isFailed, MISSES, rowFilter } from './row-filter.ts';
import { blockRowKey } from './row-key.ts';

/** A block and its number on the page. */
export interface NumberedBlock {
  readonly id: number;
  readonly block: RowBlock;
}

/** Where a feed changed: its oldest `keep` rows stay, `refs` (block, row, block, row …) follow them. */
export interface OrderChange {
  readonly keep: number;
  readonly refs: Uint32Array;
}

/** Most rows of one feed; past it the oldest are left out and the feed says from when it shows. */
export const MAX_FEED_ROWS = 200_000;

/** What fits, and what one choice of a menu alone keeps out. */
const COUNTED: ReadonlySet<number> = new Set([0, MISSES.host, MISSES.model, MISSES.source]);

interface Entry {
  readonly endedAt: number;
  readonly block: number;
  readonly row: number;
  readonly key: string;
  readonly sort: 'plain' | 'failed' | 'gap';
}

/**
 * The rows of one feed in order, oldest first, each identity once. Kept beside the page's copy, so that a live row costs
 * the few newest entries and not the whole order.
 */
export class FeedOrder {
  readonly #filter: ActivityFilter;
  #entries: Entry[] = [];
  #keys = new Set<string>();
  /** Rows that are counted for a menu and not shown. */
  #counted = new Set<string>();
  #tally = new FeedTally();
  failed = 0;
  gaps = 0;
  /** True when rows were left out because there were too many. */
  truncated = false;

  constructor(filter: ActivityFilter) {
    this.#filter = filter;
  }

  get size(): number {
    return this.#entries.length;
  }

  /** End time of the oldest row shown; null when there is none. */
  get oldest(): number | null {
    return this.#entries[0]?.endedAt ?? null;
  }

  /** Counts by choice and by source, of all rows in the window. */
  tally(): ActivityTally {
    return this.#tally.value();
  }

  /** Orders everything anew. Where a row stands in two blocks, the earlier block wins: pass segments before the tail. */
  rebuild(blocks: readonly NumberedBlock[], window: TimeWindow): OrderChange {
    this.#entries = [];
    this.#keys = new Set();
    this.#counted = new Set();
    this.#tally = new FeedTally();
    for (const numbered of blocks) this.#collect(numbered, window, this.#entries);
    this.#entries.sort(byTimeThenKey);
    this.truncated = this.#entries.length > MAX_FEED_ROWS;
    if (this.truncated) this.#entries.splice(0, this.#entries.length - MAX_FEED_ROWS);
    this.failed = this.#entries.filter(({ sort }) => sort === 'failed').length;
    this.gaps = this.#entries.filter(({ sort }) => sort === 'gap').length;
    return { keep: 0, refs: refsFrom(this.#entries, 0) };
  }

  /**
   * Puts the rows of `block`, which stand from `firstRow` on in the growing block `id`, into their places; null when none
   * matches.
   */
  add({ id, block }: NumberedBlock, firstRow: number, window: TimeWindow): OrderChange | null {
    const added: Entry[] = [];
    this.#collect({ id, block }, window, added, firstRow);
    if (added.length === 0) return null;
    for (const { sort } of added) {
      if (sort === 'failed') this.failed += 1;
      if (sort === 'gap') this.gaps += 1;
    }
    added.sort(byTimeThenKey);
    const [first] = added;
    if (!first) return null;
    // Nearly always the end: a late row of a slow host moves only what is newer than it.
    let keep = this.#entries.length;
    for (let last = this.#entries[keep - 1]; last && byTimeThenKey(last, first) > 0;) {
      keep -= 1;
      last = this.#entries[keep - 1];
    }
    const moved = this.#entries.splice(keep);
    for (const entry of [...moved, ...added].sort(byTimeThenKey)) this.#entries.push(entry);
    return { keep, refs: refsFrom(this.#entries, keep) };
  }

  #collect({ id, block }: NumberedBlock, window: TimeWindow, into: Entry[], firstRow = 0): void {
    const matches = rowFilter(block, this.#filter, window);
    const size = blockSize(block);
    for (let row = 0; row < size; row += 1) {
      const misses = matches(row);
      if (!COUNTED.has(misses)) continue;
      const key = blockRowKey(block, row);
      if (this.#keys.has(key) || this.#counted.has(key)) continue;
      this.#tally.add(block, row, misses);
      (misses === 0 ? this.#keys : this.#counted).add(key);
      if (misses !== 0) continue;
      into.push({
        endedAt: endedAtOf(block, row),
        block: id,
        row: firstRow + row,
        key,
        sort: sortOf(block, row),
      });
    }
  }
}

function sortOf(block: RowBlock, row: number): Entry['sort'] {
  if (row >= block.requests.count) return 'gap';
  return isFailed(block, row) ? 'failed' : 'plain';
}

/**
 * By end time; many releases tell whole seconds only, so rows of one moment stand in the order of their ids: of two keys the
 * shorter has the smaller number.
 */
function byTimeThenKey(a: Entry, b: Entry): number {
  if (a.endedAt !== b.endedAt) return a.endedAt - b.endedAt;
  if (a.key.length !== b.key.length) return a.key.length - b.key.length;
  if (a.key === b.key) return 0;
  return a.key < b.key ? -1 : 1;
}

function refsFrom(entries: readonly Entry[], start: number): Uint32Array {
  const refs = new Uint32Array((entries.length - start) * 2);
  for (let index = start; index < entries.length; index += 1) {
    const entry = entries[index];
    refs[(index - start) * 2] = entry?.block ?? 0;
    refs[(index - start) * 2 + 1] = entry?.row ?? 0;
  }
  return refs;
}
