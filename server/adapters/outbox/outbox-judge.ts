import type { OutboxThreadFacts } from '../../domain/health/outbox-check.ts';
import type { Judged, OutboxJudge } from '../../domain/outbox-ports.ts';
import { ThreadCall, ThreadFault } from '../thread/thread-call.ts';
import type { OutboxReply, OutboxRequest } from './outbox-request.ts';

/**
 * Of CPU time. The largest document allowed is applied in some 20 ms, on a small board in some 200. What takes longer than
 * this is no outbox; everybody else's updates wait meanwhile, so it is not longer than needed.
 */
const DEADLINE_MS = 1000;
/** Calls wait behind others that each have a deadline; none is given up for that. */
const WAIT_MS = 3_600_000;
/** A document of 256 KB takes about 10 MB. */
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** The thread that alone reads what devices send. It keeps nothing: whoever asks brings the document. */
export class ThreadOutboxJudge implements OutboxJudge {
  readonly #thread: ThreadCall<OutboxRequest, OutboxReply>;

  constructor(options: { readonly deadlineMs?: number } = {}) {
    this.#thread = new ThreadCall({
      module: new URL('./outbox-thread.ts', import.meta.url),
      workerData: null,
      deadlineMs: options.deadlineMs ?? DEADLINE_MS,
      deadlineIn: 'cpu',
      waitMs: WAIT_MS,
      idleMs: 10_000,
      subject: 'Reading an outbox',
      // One for each open outbox, and each waits for its answer.
      maxPending: 100_000,
      resourceLimits: MEMORY,
    });
  }

  hold(held: boolean): void {
    this.#thread.hold(held);
  }

  gauges(): OutboxThreadFacts {
    return this.#thread.gauges();
  }

  async judge(state: Uint8Array | null, update: Uint8Array): Promise<Judged> {
    try {
      const reply = await this.#thread.call({
        ask: 'judge',
        state: state && own(state),
        update: own(update),
      });
      if (reply.ask !== 'judge') throw new Error('the thread answered another question');
      return { verdict: reply.verdict, ranMs: reply.ranMs };
    } catch (error) {
      if (!(error instanceof ThreadFault)) throw error;
      const reason = error.why === 'overdue' ? 'deadline' : 'memory';
      return { verdict: { type: 'refused', reason, detail: error.message }, ranMs: 0 };
    }
  }

  async diff(state: Uint8Array | null, vector: Uint8Array): Promise<Uint8Array | null> {
    try {
      const reply = await this.#thread.call({ ask: 'diff', state: state && own(state), vector: own(vector) });
      return reply.ask === 'diff' ? reply.update : null;
    } catch (error) {
      if (error instanceof ThreadFault) return null;
      throw error;
    }
  }

  /** Stops the thread; what waits is rejected. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }
}

/** Bytes of a socket or a row are a window on a larger buffer, and all of that would be copied to the thread. */
function own(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(bytes);
}
