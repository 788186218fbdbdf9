import type { QueueRow } from './queue-row.ts';
import type { QueueStore, RowChange } from './queue-store.ts';

/** Tells the other tabs of this browser that the queue changed. */
export interface QueueNews {
  tell(): void;
  onNews(listener: () => void): void;
  close(): void;
}

/** How {@link QueueRows} is set up. */
export interface QueueRowsOptions {
  readonly store: QueueStore;
  readonly news: QueueNews;
  readonly onChange: () => void;
}

/** What a change makes of the rows it names; called again when the first try could not be written. */
export type Decide = (rows: ReadonlyMap<string, QueueRow>) => RowChange;

/**
 * The queue as this tab knows it. The store is the truth and decides between tabs; what it refuses is kept in memory,
 * said, and written with the next change that succeeds.
 */
export class QueueRows {
  readonly #options: QueueRowsOptions;
  #rows: ReadonlyMap<string, QueueRow> = new Map();
  readonly #unsaved = new Set<string>();
  #error: string | null = null;
  #isOpen = false;
  /** False while what other tabs did could not be read. */
  #isCurrent = false;
  /** Reads and changes of this tab, one after the other: what one of them found must hold while it is worked on. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: QueueRowsOptions) {
    this.#options = options;
    options.news.onNews(() => {
      if (this.#isOpen) void this.load();
    });
  }

  get rows(): ReadonlyMap<string, QueueRow> {
    return this.#rows;
  }

  /** Why the browser does not keep the queue; null while it does. */
  get error(): string | null {
    return this.#error;
  }

  isSaved(id: string): boolean {
    return !this.#unsaved.has(id);
  }

  /** Reads the store; rows that only this tab has stay. */
  load(): Promise<void> {
    this.#isOpen = true;
    return this.#inTurn(() => this.#load());
  }

  /** Changes the named rows, for all tabs at once. True when it is on disk; false: it holds in this tab alone. */
  change(ids: readonly string[], decide: Decide): Promise<boolean> {
    return this.#inTurn(() => this.#change(ids, decide));
  }

  /** Tries again to read and to write what could not be. */
  async save(): Promise<void> {
    if (this.#isOpen && !this.#isCurrent) await this.load();
    if (this.#unsaved.size === 0) return;
    await this.change([...this.#unsaved], (rows) => ({ put: [...rows.values()] }));
  }

  /** Forgets everything, because it was wiped; nothing is read or written before the next {@link load}. */
  clear(): void {
    this.#isOpen = false;
    this.#isCurrent = false;
    this.#rows = new Map();
    this.#unsaved.clear();
    this.#error = null;
    this.#options.onChange();
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(task);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #load(): Promise<void> {
    try {
      const stored = await this.#options.store.load();
      this.#rows = this.#withOwn(new Map(stored.map((row) => [row.id, row])), this.#unsaved);
      this.#isCurrent = true;
      if (this.#unsaved.size === 0) this.#error = null;
    } catch (error) {
      this.#isCurrent = false;
      this.#error = messageOf(error);
    }
    this.#options.onChange();
  }

  async #change(ids: readonly string[], decide: Decide): Promise<boolean> {
    try {
      let known: ReadonlyMap<string, QueueRow> = new Map();
      const change = await this.#options.store.change(ids, (stored) => {
        known = this.#withOwn(stored, ids);
        return decide(known);
      });
      for (const row of change.put) this.#unsaved.delete(row.id);
      this.#apply(ids, known, change);
      if (this.#unsaved.size === 0 && this.#isCurrent) this.#error = null;
      if (change.put.length > 0 || (change.remove ?? []).length > 0) this.#options.news.tell();
      return true;
    } catch (error) {
      this.#error = messageOf(error);
      const known = new Map([...this.#rows].filter(([id]) => ids.includes(id)));
      const put = this.#whatHoldsHere(decide(known), known);
      for (const row of put) this.#unsaved.add(row.id);
      this.#apply(ids, known, { put });
      return false;
    } finally {
      this.#options.onChange();
    }
  }

  #whatHoldsHere({ put, isWhole }: RowChange, known: ReadonlyMap<string, QueueRow>): readonly QueueRow[] {
    const held = put.filter((row) => this.#mayHoldHere(row, known.get(row.id)));
    return isWhole === true && held.length < put.length ? [] : held;
  }

  /** Another tab may send what it does not know to be dropped: this one must not say that it is. */
  #mayHoldHere(row: QueueRow, before: QueueRow | undefined): boolean {
    const isDropped = row.state === 'dropped' && before !== undefined && before.state !== 'dropped';
    return !isDropped || this.#unsaved.has(row.id);
  }

  /** Stored rows, with what could not be written of these. */
  #withOwn(stored: ReadonlyMap<string, QueueRow>, ids: Iterable<string>): ReadonlyMap<string, QueueRow> {
    const rows = new Map(stored);
    for (const id of ids) {
      const own = this.#unsaved.has(id) ? this.#rows.get(id) : undefined;
      const other = stored.get(id);
      if (own) rows.set(id, other === undefined ? own : joined(own, other));
    }
    return rows;
  }

  /** Takes over what the store has of the named rows, another tab's changes among it, and what was made of them. */
  #apply(
    ids: readonly string[],
    known: ReadonlyMap<string, QueueRow>,
    { put, remove = [] }: RowChange,
  ): void {
    const rows = new Map(this.#rows);
    for (const id of ids) rows.delete(id);
    for (const [id, row] of known) rows.set(id, row);
    for (const row of put) rows.set(row.id, row);
    for (const id of remove) {
      rows.delete(id);
      this.#unsaved.delete(id);
    }
    this.#rows = rows;
  }
}

const PROGRESS: readonly QueueRow['state'][] = ['queued', 'sent', 'expired-here', 'dropped'];

/** One row of what this tab could not write and what others wrote meanwhile: nothing that happened is undone by it. */
function joined(own: QueueRow, other: QueueRow): QueueRow {
  const further = PROGRESS.indexOf(own.state) > PROGRESS.indexOf(other.state) ? own : other;
  return {
    ...further,
    deviceId: other.deviceId,
    offered: own.offered || other.offered,
    held: own.held || other.held,
    approved: own.approved || other.approved,
    dismissed: own.dismissed || other.dismissed,
    after: own.after === null ? null : other.after,
    cancel: own.cancel ?? other.cancel,
    view: further.view ?? own.view ?? other.view,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'The browser refused to store it.';
}
