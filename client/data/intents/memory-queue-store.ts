import type { QueueRow } from './queue-row.ts';
import type { QueueStore, RowChange } from './queue-store.ts';

/** A queue that lives as long as the page: where the browser keeps nothing over plain http. */
export class MemoryQueueStore implements QueueStore {
  readonly #rows = new Map<string, QueueRow>();

  load(): Promise<readonly QueueRow[]> {
    return Promise.resolve([...this.#rows.values()]);
  }

  change(
    ids: readonly string[],
    decide: (rows: ReadonlyMap<string, QueueRow>) => RowChange,
  ): Promise<RowChange> {
    const known = new Map(
      ids.flatMap((id) => {
        const row = this.#rows.get(id);
        return row ? [[id, row] as const] : [];
      }),
    );
    const change = decide(known);
    for (const row of change.put) this.#rows.set(row.id, row);
    for (const id of change.remove ?? []) this.#rows.delete(id);
    return Promise.resolve(change);
  }

  close(): void {
    this.#rows.clear();
  }
}
