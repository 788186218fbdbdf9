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
  #isLoaded = false;
  /** Rises with each change of this tab: what was read before one is older than what is known. */
  #changes = 0;

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
  async load(): Promise<void> {
    this.#isOpen = true;
    try {
      const changes = this.#changes;
      const stored = await this.#options.store.load();
      if (changes !== this.#changes) return await this.load();
      this.#rows = new Map([...stored.map((row) => [row.id, row] as const), ...this.#ownRows()]);
      this.#isLoaded = true;
      if (this.#unsaved.size === 0) this.#error = null;
    } catch (error) {
      this.#error = messageOf(error);
    }
    this.#options.onChange();
  }

  /** Changes the named rows, for all tabs at once. True when it is on disk; false: it holds in this tab alone. */
  async change(ids: readonly string[], decide: Decide): Promise<boolean> {
    try {
      let known: ReadonlyMap<string, QueueRow> = new Map();
      const change = await this.#options.store.change(ids, (stored) => {
        known = new Map([...stored, ...this.#ownRows(ids)]);
        return decide(known);
      });
      for (const row of change.put) this.#unsaved.delete(row.id);
      this.#apply(ids, known, change);
      if (this.#unsaved.size === 0) this.#error = null;
      if (change.put.length > 0 || (change.remove ?? []).length > 0) this.#options.news.tell();
      return true;
    } catch (error) {
      this.#error = messageOf(error);
      const known = new Map([...this.#rows].filter(([id]) => ids.includes(id)));
      const change = decide(known);
      for (const row of change.put) this.#unsaved.add(row.id);
      this.#apply(ids, known, change);
      return false;
    } finally {
      this.#options.onChange();
    }
  }

  /** Tries again to read and to write what could not be. */
  async save(): Promise<void> {
    if (this.#isOpen && !this.#isLoaded) await this.load();
    if (this.#unsaved.size === 0) return;
    await this.change([...this.#unsaved], (rows) => ({ put: [...rows.values()] }));
  }

  /** Forgets everything, because it was wiped; nothing is read or written before the next {@link load}. */
  clear(): void {
    this.#isOpen = false;
    this.#isLoaded = false;
    this.#rows = new Map();
    this.#unsaved.clear();
    this.#error = null;
    this.#options.onChange();
  }

  #ownRows(ids: Iterable<string> = this.#unsaved): Map<string, QueueRow> {
    const own = new Map<string, QueueRow>();
    for (const id of ids) {
      const row = this.#unsaved.has(id) ? this.#rows.get(id) : undefined;
      if (row) own.set(id, row);
    }
    return own;
  }

  /** Takes over what the store has of the named rows, another tab's changes among it, and what was made of them. */
  #apply(
    ids: readonly string[],
    known: ReadonlyMap<string, QueueRow>,
    { put, remove = [] }: RowChange,
  ): void {
    this.#changes += 1;
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

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'The browser refused to store it.';
}
