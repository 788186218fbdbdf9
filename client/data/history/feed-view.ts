import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { ActivityFeed } from '../types.ts';
import type { FeedPatch } from './messages.ts';
import type { RowBlock } from './row-block.ts';
import { rowOf } from './row-block.ts';
import { rowKey } from './row-key.ts';

/** Rows behind references: a block of columns, or rows of the growing block. */
export type RowSource = RowBlock | readonly ActivityRow[];

/** Row sources by number. Never changed in place: an older feed keeps its own. */
export type RowSources = ReadonlyMap<number, RowSource>;

const MAX_CACHED_ROWS = 4_000;
const GROWTH = 1.5;

/**
 * The page's side of a feed: references in order, oldest first, and the feed objects made from them. A feed keeps
 * answering for what it showed, because references below its count are never overwritten: a change inside them copies.
 */
export class FeedView {
  #refs: Uint32Array = new Uint32Array();
  #count = 0;
  #version = 0;
  /** Row objects by identity, so that a row stays the same object when its block is replaced. */
  readonly #rows = new Map<string, ActivityRow>();

  /** Applies a patch and returns the feed as it is now. */
  apply(patch: FeedPatch, sources: RowSources): ActivityFeed {
    const keep = Math.min(patch.keep, this.#count);
    const count = keep + patch.refs.length / 2;
    if (keep === 0) {
      // The whole order came, transferred: taken over without a copy.
      this.#refs = patch.refs;
    } else if (keep < this.#count || count * 2 > this.#refs.length) {
      const grown = new Uint32Array(Math.ceil(count * 2 * GROWTH));
      grown.set(this.#refs.subarray(0, keep * 2));
      this.#refs = grown;
    }
    if (keep > 0) this.#refs.set(patch.refs, keep * 2);
    this.#count = count;
    this.#version += 1;
    return this.#feed(patch, sources);
  }

  #feed(patch: FeedPatch, sources: RowSources): ActivityFeed {
    const refs = this.#refs;
    const count = this.#count;
    return {
      state: patch.ready ? 'ready' : 'loading',
      count,
      rowAt: (index) => {
        const at = (count - 1 - index) * 2;
        if (index < 0 || at < 0) return undefined;
        return this.#sameRow(readRow(sources, refs[at] ?? 0, refs[at + 1] ?? 0));
      },
      counts: { failed: patch.failed, gaps: patch.gaps, total: count },
      tally: patch.tally,
      version: this.#version,
      from: patch.from,
      missing: { days: patch.missingDays },
    };
  }

  #sameRow(row: ActivityRow | undefined): ActivityRow | undefined {
    if (row === undefined) return undefined;
    const key = rowKey(row);
    const known = this.#rows.get(key);
    if (known !== undefined && isSame(known, row)) return known;
    if (this.#rows.size >= MAX_CACHED_ROWS) this.#rows.clear();
    this.#rows.set(key, row);
    return row;
  }
}

function readRow(sources: RowSources, blockId: number, row: number): ActivityRow | undefined {
  const source = sources.get(blockId);
  if (source === undefined) return undefined;
  return isBlock(source) ? rowOf(source, row) : source[row];
}

function isBlock(source: RowSource): source is RowBlock {
  return !Array.isArray(source);
}

/** One identity has one content, but for an error text that the tail cut short and a segment has whole. */
function isSame(known: ActivityRow, row: ActivityRow): boolean {
  return known.type === 'gap' || row.type === 'gap' || known.error === row.error;
}
