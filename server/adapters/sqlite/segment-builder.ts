import type { BuildRequest, BuiltSegment, SegmentBuilder } from '../../domain/store-ports.ts';
import { ThreadCall } from '../thread/thread-call.ts';

/** Builds segments in a thread of its own, with its own read-only connection; it ends when there is nothing to build. */
export class SqliteSegmentBuilder implements SegmentBuilder {
  readonly #thread: ThreadCall<BuildRequest, readonly BuiltSegment[]>;

  constructor(
    databasePath: string,
    options: { readonly deadlineMs?: number; readonly idleMs?: number } = {},
  ) {
    this.#thread = new ThreadCall({
      module: new URL('./segment-thread.ts', import.meta.url),
      workerData: { path: databasePath },
      deadlineMs: options.deadlineMs ?? 60_000,
      waitMs: 240_000,
      idleMs: options.idleMs ?? 10_000,
      subject: 'Building a segment',
      maxPending: 4,
    });
  }

  build(request: BuildRequest): Promise<readonly BuiltSegment[]> {
    return this.#thread.call(request);
  }

  /** Stops the thread; builds that wait are rejected. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
