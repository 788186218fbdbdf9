/** How rows of a kind are told apart, and when each happened. */
export interface TailRowTraits<Row> {
  readonly keyOf: (row: Row) => string;
  readonly timeOf: (row: Row) => number;
}

/**
 * Rows of one kind that came by the tail document: those it holds now, and those it gave up but no stored segment is known to
 * have. A trim and the manifest entry for it arrive on different sockets, and the blob later still: meanwhile the rows stay
 * here, so that a reader may see a row twice (and drops one) but never zero times.
 */
export class TailRows<Row> {
  readonly #traits: TailRowTraits<Row>;
  readonly #present = new Map<string, Row>();
  readonly #held = new Map<string, { readonly row: Row; readonly trimmedAt: number }>();

  constructor(traits: TailRowTraits<Row>) {
    this.#traits = traits;
  }

  /** Takes rows in; returns those that are new. `whole`: they are all the tail holds, the others were trimmed. */
  take(rows: readonly Row[], whole: boolean, now: number): readonly Row[] {
    const fresh: Row[] = [];
    const named = new Set<string>();
    for (const row of rows) {
      const key = this.#traits.keyOf(row);
      named.add(key);
      if (this.#present.has(key)) continue;
      if (!this.#held.delete(key)) fresh.push(row);
      this.#present.set(key, row);
    }
    if (whole) {
      for (const [key, row] of this.#present) {
        if (named.has(key)) continue;
        this.#present.delete(key);
        this.#held.set(key, { row, trimmedAt: now });
      }
    }
    return fresh;
  }

  /** A stored segment has these rows. */
  cover(keys: Iterable<string>): void {
    for (const key of keys) this.#held.delete(key);
  }

  /** Gives up held rows from before `before`: no window shows them any more. */
  expire(before: number): void {
    for (const [key, { row }] of this.#held) if (this.#traits.timeOf(row) < before) this.#held.delete(key);
  }

  /** Gives up held rows for which no segment will come; true when there were any. */
  letGo(isGone: (row: Row, trimmedAt: number) => boolean): boolean {
    const before = this.#held.size;
    for (const [key, { row, trimmedAt }] of this.#held) if (isGone(row, trimmedAt)) this.#held.delete(key);
    return this.#held.size < before;
  }

  /** How many rows wait for a segment. */
  get heldCount(): number {
    return this.#held.size;
  }

  /** Times between which held rows lie; null when there are none. */
  heldSpan(): { readonly from: number; readonly to: number } | null {
    let span: { from: number; to: number } | null = null;
    for (const { row } of this.#held.values()) {
      const at = this.#traits.timeOf(row);
      span ??= { from: at, to: at };
      if (at < span.from) span.from = at;
      if (at > span.to) span.to = at;
    }
    return span;
  }

  /** Time of the oldest row; null when there is none. */
  oldest(): number | null {
    let oldest: number | null = null;
    for (const row of this.rows()) {
      const at = this.#traits.timeOf(row);
      if (oldest === null || at < oldest) oldest = at;
    }
    return oldest;
  }

  /** All rows, present and held. */
  rows(): Row[] {
    return [...this.#present.values(), ...Array.from(this.#held.values(), ({ row }) => row)];
  }
}
