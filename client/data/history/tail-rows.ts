import type { ActivityRow } from '#shared/schemas/activity.ts';
import { rowKey } from './row-key.ts';

/**
 * Rows that came by the tail document: those it holds now, and those it gave up but no stored segment is known to
 * have. A trim and the manifest entry for it arrive on different sockets, and the blob later still: meanwhile the rows stay
 * here, so that a reader may see a row twice (and drops one) but never zero times.
 */
export class TailRows {
  readonly #present = new Map<string, ActivityRow>();
  readonly #held = new Map<string, { readonly row: ActivityRow; readonly trimmedAt: number }>();

  /** Takes rows in; returns those that are new. `whole`: they are all the tail holds, the others were trimmed. */
  take(rows: readonly ActivityRow[], whole: boolean, now: number): readonly ActivityRow[] {
    const fresh: ActivityRow[] = [];
    const named = new Set<string>();
    for (const row of rows) {
      const key = rowKey(row);
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

  /** Gives up held rows that ended before `before`: no window shows them any more. */
  expire(before: number): void {
    for (const [key, { row }] of this.#held) if (row.endedAt < before) this.#held.delete(key);
  }

  /** Gives up held rows for which no segment will come; true when there were any. */
  letGo(isGone: (row: ActivityRow, trimmedAt: number) => boolean): boolean {
    const before = this.#held.size;
    for (const [key, { row, trimmedAt }] of this.#held) if (isGone(row, trimmedAt)) this.#held.delete(key);
    return this.#held.size < before;
  }

  /** How many rows wait for a segment. */
  get heldCount(): number {
    return this.#held.size;
  }

  /** Times between which held rows ended; null when there are none. */
  heldSpan(): { readonly from: number; readonly to: number } | null {
    let span: { from: number; to: number } | null = null;
    for (const { row } of this.#held.values()) {
      const { endedAt } = row;
      span ??= { from: endedAt, to: endedAt };
      if (endedAt < span.from) span.from = endedAt;
      if (endedAt > span.to) span.to = endedAt;
    }
    return span;
  }

  /** End time of the oldest row; null when there is none. */
  oldest(): number | null {
    let oldest: number | null = null;
    for (const { endedAt } of this.rows()) if (oldest === null || endedAt < oldest) oldest = endedAt;
    return oldest;
  }

  /** All rows, present and held. */
  rows(): ActivityRow[] {
    return [...this.#present.values(), ...Array.from(this.#held.values(), ({ row }) => row)];
  }
}
