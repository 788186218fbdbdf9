import type { ActivityPage, ActivityQuery } from '#shared/schemas/activity.ts';
import type { HistoryQuery } from '../../domain/ports.ts';
import { decodeCursor } from './history-cursor.ts';
import { ThreadCall } from '../thread/thread-call.ts';

/** History queries in a thread of their own, with its own read-only connection. */
export class SqliteHistoryQuery implements HistoryQuery {
  readonly #thread: ThreadCall<ActivityQuery, ActivityPage>;

  constructor(
    databasePath: string,
    options: { readonly deadlineMs?: number; readonly idleMs?: number } = {},
  ) {
    const deadlineMs = options.deadlineMs ?? 5000;
    this.#thread = new ThreadCall({
      module: new URL('./history-thread.ts', import.meta.url),
      workerData: { path: databasePath, deadlineMs },
      // The thread gives up by itself between statements; this one is for when it cannot.
      deadlineMs: deadlineMs + 1000,
      waitMs: 5000,
      idleMs: options.idleMs ?? 300_000,
      subject: 'The search',
      maxPending: 64,
    });
  }

  async activity(query: ActivityQuery): Promise<ActivityPage> {
    // Bad input is refused here, without waking the thread.
    if (query.cursor !== undefined) decodeCursor(query.cursor);
    return this.#thread.call(query);
  }

  /** Stops the thread; queries that wait are rejected. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
