import type { QueueRow } from './queue-row.ts';

/** What a change makes of rows: those to write, and ids to delete. */
export interface RowChange {
  readonly put: readonly QueueRow[];
  readonly remove?: readonly string[];
  /** They make sense together only. */
  readonly isWhole?: boolean;
}

/** The queue on this device, shared by all of its tabs. Every method rejects when the browser refuses. */
export interface QueueStore {
  /** All rows that can be read; one that another version wrote is left alone. */
  load(): Promise<readonly QueueRow[]>;
  /**
   * Reads the named rows that there are, and writes what `decide` makes of them, in one transaction that no other tab
   * can come between. Resolves when it is on disk.
   */
  change(
    ids: readonly string[],
    decide: (rows: ReadonlyMap<string, QueueRow>) => RowChange,
  ): Promise<RowChange>;
  close(): void;
}
