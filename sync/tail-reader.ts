import type * as Y from 'yjs';
import { readItems, stringsOf, tailItems } from './tail-codec.ts';
import type { TailContent, TailRow } from './tail-codec.ts';

/** What one transaction did to the tail. Rows written again after a trim are in both lists. */
export interface TailChange {
  readonly added: readonly TailRow[];
  /** Trimmed: a segment holds them now; whoever shows them keeps them until its manifest entry is there. */
  readonly removed: readonly TailRow[];
}

/** Follows a tail document and decodes each item once. */
export class TailReader {
  readonly #doc: Y.Doc;
  readonly #listener: (change: TailChange) => void;
  #items: unknown[] = [];
  #contents: TailContent[] = [];

  /** Reads what the document holds and calls `listener` with every later change, once a transaction. */
  constructor(doc: Y.Doc, listener: (change: TailChange) => void) {
    this.#doc = doc;
    this.#listener = listener;
    this.#update();
    tailItems(doc).observe(this.#onChange);
  }

  /** Ends it. */
  stop(): void {
    tailItems(this.#doc).unobserve(this.#onChange);
  }

  /** Every row of the tail, in order. */
  rows(): TailRow[] {
    return this.#contents.flatMap((content) => content.rows);
  }

  /** Items and rows that could not be read, now. */
  get skipped(): number {
    return this.#contents.reduce((sum, content) => sum + content.skipped, 0);
  }

  readonly #onChange = (): void => {
    const change = this.#update();
    if (change.added.length > 0 || change.removed.length > 0) this.#listener(change);
  };

  /** Yjs gives the same `Uint8Array` for an item each time, so an item is known by identity. */
  #update(): TailChange {
    const before = this.#items;
    const now: unknown[] = tailItems(this.#doc).toArray();
    const trimmed = now.length === 0 ? before.length : before.indexOf(now[0]);
    const head = trimmed < 0 ? before.length : trimmed;
    const kept = before.length - head;
    // Only the collector writes: items go from the front and come at the end. Anything else starts afresh.
    const regular = kept <= now.length && (kept === 0 || before[before.length - 1] === now[kept - 1]);
    const from = regular ? head : before.length;
    const removed = this.#contents.slice(0, from);
    const strings = stringsOf(this.#doc);
    const added = now.slice(regular ? kept : 0).map((item) => readItems([item], strings));
    this.#items = now;
    this.#contents = [...this.#contents.slice(from), ...added];
    return { added: added.flatMap(({ rows }) => rows), removed: removed.flatMap(({ rows }) => rows) };
  }
}
