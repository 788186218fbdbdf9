import { Worker } from 'node:worker_threads';
import { ERROR_STATUS } from '#shared/schemas/error.ts';
import type { ErrorCode } from '#shared/schemas/error.ts';
import { AppError } from '../../errors.ts';
import type { ThreadReply, ThreadRequest } from './thread-protocol.ts';

/** How a worker thread is run. */
export interface ThreadOptions {
  /** The module the thread runs. */
  readonly module: URL;
  readonly workerData: unknown;
  /** A call past it is rejected, and the thread is stopped, since it may be stuck. */
  readonly deadlineMs: number;
  /** A thread without calls is stopped after this long, for its memory. */
  readonly idleMs: number;
  /** What a call is, as the first words of its errors: `The search`. */
  readonly subject: string;
  /** Calls waiting at once; more are refused. */
  readonly maxPending: number;
}

interface Pending<Output> {
  readonly resolve: (output: Output) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** Calls into one worker thread: started when needed, replaced when stuck or dead, stopped when idle. */
export class ThreadCall<Input, Output> {
  readonly #options: ThreadOptions;
  readonly #pending = new Map<number, Pending<Output>>();
  #worker: Worker | null = null;
  #idleTimer: NodeJS.Timeout | null = null;
  #lastId = 0;
  #stopped = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Runs one call; rejects with `AppError` `timeout` past the deadline. */
  call(input: Input): Promise<Output> {
    if (this.#stopped) return Promise.reject(new AppError('store_unavailable', 'Drover is stopping.'));
    if (this.#pending.size >= this.#options.maxPending) {
      const message = `${this.#options.subject} has to wait: too many at once. Try again in a moment.`;
      return Promise.reject(new AppError('timeout', message, { retryAfterMs: 1000 }));
    }
    const worker = this.#ensureWorker();
    const id = ++this.#lastId;
    return new Promise<Output>((resolve, reject) => {
      const timer = setTimeout(() => this.#overdue(), this.#options.deadlineMs);
      this.#pending.set(id, { resolve, reject, timer });
      worker.postMessage({ id, input } satisfies ThreadRequest, []);
    });
  }

  /** Stops the thread; calls that wait are rejected. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#drop(new AppError('store_unavailable', 'Drover is stopping.'));
  }

  #ensureWorker(): Worker {
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.#options.module, { workerData: this.#options.workerData });
    worker.unref();
    worker.on('message', (reply: ThreadReply<Output>) => this.#settle(reply));
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', () => this.#lost(worker, new Error('the thread ended')));
    this.#worker = worker;
    return worker;
  }

  #settle(reply: ThreadReply<Output>): void {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    clearTimeout(pending.timer);
    this.#pending.delete(reply.id);
    if (reply.ok) pending.resolve(reply.output);
    else pending.reject(toError(reply.code, reply.message));
    if (this.#pending.size === 0) {
      this.#idleTimer = setTimeout(() => void this.#drop(new Error('idle')), this.#options.idleMs);
      this.#idleTimer.unref();
    }
  }

  #overdue(): void {
    void this.#drop(new AppError('timeout', `${this.#options.subject} took too long.`));
  }

  #lost(worker: Worker, error: Error): void {
    if (this.#worker === worker)
      void this.#drop(new AppError('internal', `${this.#options.subject} failed.`, { cause: error }));
  }

  /** Lets the thread go and rejects what waits for it; the next call starts a new one. */
  async #drop(error: Error): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of waiting) {
      clearTimeout(pending.timer);
      pending.reject(error);
    }
    await worker?.terminate();
  }
}

function toError(code: string | null, message: string): Error {
  return code !== null && isErrorCode(code) ? new AppError(code, message) : new Error(message);
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUS, code);
}
