import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { Model, ModelEvent } from '#shared/schemas/model.ts';
import type { HostStatus } from '../domain/ports.ts';

/** Facts taken for one commit. */
export interface FactBatch {
  readonly statuses: ReadonlyMap<string, HostStatus>;
  readonly models: ReadonlyMap<string, readonly Model[]>;
  readonly activity: readonly QueuedRow[];
  readonly events: readonly ModelEvent[];
}

/** A row that waits for its commit; one of a backfill goes past the tail. */
export interface QueuedRow {
  readonly row: ActivityRow;
  readonly backfill: boolean;
}

/** Longest call of rows that is news; a longer one is the past being fetched. */
const NEWS_ROWS = 500;
/** Rows and events of one commit: some 20 ms of work. */
const BATCH_ROWS = 2000;

/** Events kept while the store is down. */
const MAX_KEPT_EVENTS = 10_000;

/**
 * Facts that came since the last commit: the latest of what is replaced, all of what is appended. Rows leave in the
 * order they came: were a host's newer row committed before an older one, a crash between would lose the older unseen.
 */
export class PendingFacts {
  readonly #statuses = new Map<string, HostStatus>();
  readonly #models = new Map<string, readonly Model[]>();
  #activity: QueuedRow[] = [];
  #events: ModelEvent[] = [];

  status(hostId: string, status: HostStatus): void {
    this.#statuses.set(hostId, status);
  }

  models(hostId: string, models: readonly Model[]): void {
    this.#models.set(hostId, models);
  }

  activity(rows: readonly ActivityRow[]): void {
    const backfill = rows.length > NEWS_ROWS;
    for (const row of rows) this.#activity.push({ row, backfill });
  }

  events(events: readonly ModelEvent[]): void {
    for (const event of events) this.#events.push(event);
  }

  get rowCount(): number {
    return this.#activity.length + this.#events.length;
  }

  get empty(): boolean {
    return this.rowCount === 0 && this.#statuses.size === 0 && this.#models.size === 0;
  }

  /** The next batch, which stays here until `settle` says that it was committed. */
  batch(): FactBatch {
    return {
      statuses: new Map(this.#statuses),
      models: new Map(this.#models),
      activity: this.#activity.slice(0, BATCH_ROWS),
      events: this.#events.slice(0, BATCH_ROWS),
    };
  }

  /** Drops what a batch held. */
  settle(batch: FactBatch): void {
    for (const [hostId, status] of batch.statuses) {
      if (this.#statuses.get(hostId) === status) this.#statuses.delete(hostId);
    }
    for (const [hostId, models] of batch.models) {
      if (this.#models.get(hostId) === models) this.#models.delete(hostId);
    }
    this.#activity = this.#activity.slice(batch.activity.length);
    this.#events = this.#events.slice(batch.events.length);
  }

  /** Drops rows, which are fetched again. Events cannot be: the newest are kept. */
  clearActivity(): void {
    this.#activity = [];
    this.#events = this.#events.slice(-MAX_KEPT_EVENTS);
  }

  /** Drops events too. */
  clearEvents(): void {
    this.#events = [];
  }

  /** Drops everything of a host. */
  forget(hostId: string): void {
    this.#statuses.delete(hostId);
    this.#models.delete(hostId);
    this.#activity = this.#activity.filter(({ row }) => row.hostId !== hostId);
    this.#events = this.#events.filter((event) => event.hostId !== hostId);
  }
}
