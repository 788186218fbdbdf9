import type { PerformanceAnswer, PerformanceQuery } from '#shared/schemas/performance.ts';
import type { PerformanceQueries } from '../../domain/performance-ports.ts';
import { resolvePerformanceQuery, type PerformanceRead } from '../../domain/performance-query.ts';
import type { Clock } from '../../domain/ports.ts';
import { AppError } from '../../errors.ts';
import { ThreadCall } from '../thread/thread-call.ts';
import type { PerformanceDay } from './performance-read.ts';

type Request =
  | { readonly want: 'answer'; readonly read: PerformanceRead }
  | { readonly want: 'day'; readonly hostId: string; readonly day: number };

/** Queries of samples in a thread of their own, which is there while somebody looks at charts. */
export class SqlitePerformanceQueries implements PerformanceQueries {
  readonly #options: { readonly clock: Clock; readonly rawHours: number };
  readonly #thread: ThreadCall<Request, PerformanceAnswer | PerformanceDay | null>;

  constructor(databasePath: string, options: { readonly clock: Clock; readonly rawHours: number }) {
    this.#options = options;
    this.#thread = new ThreadCall({
      module: new URL('./performance-thread.ts', import.meta.url),
      workerData: { path: databasePath },
      deadlineMs: 10_000,
      waitMs: 10_000,
      idleMs: 60_000,
      subject: 'Reading performance samples',
      maxPending: 64,
    });
  }

  async answer(query: PerformanceQuery): Promise<PerformanceAnswer | null> {
    const { clock, rawHours } = this.#options;
    // Bad input is refused here, without waking the thread.
    const resolved = resolvePerformanceQuery(query, { now: clock.now(), rawHours });
    if (!resolved.ok) throw new AppError('bad_request', resolved.problem);
    const answer = await this.#thread.call({ want: 'answer', read: resolved.read });
    return answer && 'system' in answer ? answer : null;
  }

  async day(hostId: string, day: number): Promise<PerformanceDay | null> {
    const packed = await this.#thread.call({ want: 'day', hostId, day });
    return packed && 'bytes' in packed ? packed : null;
  }

  /** Stops the thread; queries that wait are rejected. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
