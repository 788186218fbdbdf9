import type {
  ActivityPage,
  ActivityQuery,
  ActivitySummary,
  ActivitySummaryQuery,
} from '#shared/schemas/activity.ts';
import type { HistoryQuery } from '../../domain/ports.ts';
import { decodeCursor } from './history-cursor.ts';
import { ThreadCall } from '../thread/thread-call.ts';

/** History queries in threads of their own, each with its own read-only connection: no page waits behind a count of all. */
export class SqliteHistoryQuery implements HistoryQuery {
  readonly #pages: ThreadCall<{ readonly ask: 'page'; readonly query: ActivityQuery }, ActivityPage>;
  readonly #summaries: ThreadCall<
    { readonly ask: 'summary'; readonly query: ActivitySummaryQuery },
    ActivitySummary
  >;

  constructor(
    databasePath: string,
    options: { readonly deadlineMs?: number; readonly idleMs?: number } = {},
  ) {
    const deadlineMs = options.deadlineMs ?? 5000;
    const call = {
      module: new URL('./history-thread.ts', import.meta.url),
      workerData: { path: databasePath, deadlineMs },
      // The thread gives up by itself between statements; this one is for when it cannot.
      deadlineMs: deadlineMs + 1000,
      waitMs: 5000,
      maxPending: 64,
    };
    const idleMs = options.idleMs ?? 300_000;
    this.#pages = new ThreadCall({ ...call, idleMs, subject: 'The search' });
    this.#summaries = new ThreadCall({ ...call, idleMs: Math.min(idleMs, 30_000), subject: 'The count' });
  }

  async activity(query: ActivityQuery): Promise<ActivityPage> {
    // Bad input is refused here, without waking the thread.
    if (query.cursor !== undefined) decodeCursor(query.cursor);
    return this.#pages.call({ ask: 'page', query });
  }

  summary(query: ActivitySummaryQuery): Promise<ActivitySummary> {
    return this.#summaries.call({ ask: 'summary', query });
  }

  /** Stops the threads; queries that wait are rejected. */
  async stop(): Promise<void> {
    await Promise.all([this.#pages.stop(), this.#summaries.stop()]);
  }
}
