import { Worker, type ResourceLimits } from 'node:worker_threads';
import { ERROR_STATUS } from '#shared/schemas/error.ts';
import { must } from '#shared/lib/assert.ts';
import type { ErrorCode } from '#shared/schemas/error.ts';
import { AppError } from '../../errors.ts';
import type { ThreadReply, ThreadRequest } from './thread-protocol.ts';

/** The thread was stopped for this very call (`overdue`), or ended of it (`lost`); others are tried again. */
export class ThreadFault extends AppError {
  readonly why: 'overdue' | 'lost';

  constructor(why: 'overdue' | 'lost', subject: string, options: { readonly cause?: unknown } = {}) {
    super(
      why === 'overdue' ? 'timeout' : 'internal',
      `${subject} ${why === 'overdue' ? 'took too long' : 'failed'}.`,
      options,
    );
    this.why = why;
  }
}

/** How a worker thread is run. */
export interface ThreadOptions {
  /** The module the thread runs. */
  readonly module: URL;
  readonly workerData: unknown;
  /** From the moment the thread has a call: past it that call is rejected and the thread replaced, since it may be stuck. */
  readonly deadlineMs: number;
  /**
   * What the deadline counts. `cpu`: only time that the thread computed, up to ten times as much by the clock, so that a
   * busy machine makes nobody late. Left out: `clock`, which also ends what waits inside a native call.
   */
  readonly deadlineIn?: 'clock' | 'cpu';
  /** For the calls before it: past it a call is rejected untried. */
  readonly waitMs: number;
  /** A thread without calls is stopped after this long, for its memory. */
  readonly idleMs: number;
  /** What a call is, as the first words of its errors: `The search`. */
  readonly subject: string;
  /** Calls at once, waiting ones included; more are refused. */
  readonly maxPending: number;
  /** Memory of the thread; one that needs more ends, and only the call it had is rejected. */
  readonly resourceLimits?: ResourceLimits;
}

interface Call<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: Error) => void;
  /** Of the wait, then of the run. */
  timer: NodeJS.Timeout;
}

interface Running<Input, Output> {
  readonly id: number;
  readonly call: Call<Input, Output>;
  startedAt: number;
  /** CPU time of the thread when it was first looked at; null: not yet. */
  cpuMs: number | null;
  lookTimer: NodeJS.Timeout | null;
}

/** Looks at the CPU time of a call in one deadline: the first one is where counting begins. */
const LOOKS = 4;
/** By the clock a call may take this many deadlines that count CPU time. */
const PATIENCE = 10;
/** A thread that did not become ready by then will not. */
const START_MS = 30_000;

/**
 * Calls into one worker thread: started when needed, replaced when stuck or dead, stopped when idle. The thread has one
 * call at a time, so that it is known which one it died of: the others never notice but for the wait.
 */
export class ThreadCall<Input, Output> {
  readonly #options: ThreadOptions;
  readonly #waiting: Call<Input, Output>[] = [];
  #running: Running<Input, Output> | null = null;
  #worker: Worker | null = null;
  #isReady = false;
  #held = false;
  #startTimer: NodeJS.Timeout | null = null;
  #idleTimer: NodeJS.Timeout | null = null;
  #lastId = 0;
  #replaced = 0;
  #stopped = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Runs one call; rejects with a `ThreadFault` when the thread hung or ended at it, else with an `AppError`. */
  call(input: Input): Promise<Output> {
    const { subject, maxPending, waitMs } = this.#options;
    if (this.#stopped) return Promise.reject(stopping());
    if (this.#waiting.length + (this.#running ? 1 : 0) >= maxPending) {
      const message = `${subject} has to wait: too many at once. Try again in a moment.`;
      return Promise.reject(new AppError('timeout', message, { retryAfterMs: 1000 }));
    }
    return new Promise<Output>((resolve, reject) => {
      const timer = setTimeout(() => this.#waitedTooLong(call), waitMs);
      const call: Call<Input, Output> = { input, resolve, reject, timer };
      this.#waiting.push(call);
      this.#next();
    });
  }

  /** Calls that wait or run, and how often the thread hung or died since the start. */
  gauges(): { readonly pending: number; readonly replaced: number } {
    return { pending: this.#waiting.length + (this.#running ? 1 : 0), replaced: this.#replaced };
  }

  /** While held the thread is there, ahead of its first call and without calls. */
  hold(held: boolean): void {
    this.#held = held;
    if (this.#stopped) return;
    if (held) this.#ensureWorker();
    else if (this.#worker) this.#next();
  }

  /** Stops the thread; calls that wait are rejected. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#rejectAll(stopping());
    await this.#drop();
  }

  /** Gives the thread the next call, when there is one and it has none. */
  #next(): void {
    if (this.#running) return;
    const [call] = this.#waiting;
    if (!call) {
      if (this.#held) return;
      this.#idleTimer ??= setTimeout(() => void this.#drop(), this.#options.idleMs).unref();
      return;
    }
    const worker = this.#ensureWorker();
    if (!this.#isReady) return;
    this.#waiting.shift();
    clearTimeout(call.timer);
    const id = ++this.#lastId;
    const running: Running<Input, Output> = {
      id,
      call,
      startedAt: performance.now(),
      cpuMs: null,
      lookTimer: null,
    };
    this.#running = running;
    const { deadlineMs, deadlineIn = 'clock' } = this.#options;
    if (deadlineIn === 'cpu') this.#lookSoon(running);
    const limitMs = deadlineIn === 'cpu' ? PATIENCE * deadlineMs : deadlineMs;
    call.timer = setTimeout(() => this.#mayBeOverdue(id, limitMs), limitMs);
    worker.postMessage({ id, input: call.input } satisfies ThreadRequest, []);
  }

  #ensureWorker(): Worker {
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
    if (this.#worker) return this.#worker;
    const { module, workerData, resourceLimits } = this.#options;
    const worker = new Worker(module, { workerData, ...(resourceLimits ? { resourceLimits } : {}) });
    worker.unref();
    worker.on('message', (reply: ThreadReply<Output>) => {
      if (this.#worker === worker) this.#receive(reply);
    });
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', () => this.#lost(worker, new Error('the thread ended')));
    this.#worker = worker;
    this.#startTimer = setTimeout(() => this.#lost(worker, new Error('the thread did not start')), START_MS);
    this.#startTimer.unref();
    return worker;
  }

  #receive(reply: ThreadReply<Output>): void {
    if ('ready' in reply) {
      this.#isReady = true;
      if (this.#startTimer) clearTimeout(this.#startTimer);
    } else if (this.#running?.id === reply.id) {
      const { call } = this.#end();
      if (reply.ok) call.resolve(reply.output);
      else call.reject(toError(reply.code, reply.message));
    }
    this.#next();
  }

  #lookSoon(running: Running<Input, Output>): void {
    running.lookTimer = setTimeout(() => void this.#look(running), this.#options.deadlineMs / LOOKS);
  }

  async #look(running: Running<Input, Output>): Promise<void> {
    const cpuMs = await this.#cpuMs();
    if (this.#running !== running) return;
    running.cpuMs ??= cpuMs;
    if (cpuMs - running.cpuMs >= (this.#options.deadlineMs * (LOOKS - 1)) / LOOKS) this.#overdue();
    else this.#lookSoon(running);
  }

  /** CPU time of the thread; where Node cannot tell it (before 24.6), the clock's. */
  async #cpuMs(): Promise<number> {
    try {
      const usage = await this.#worker?.cpuUsage();
      if (usage) return (usage.user + usage.system) / 1000;
    } catch {
      // The thread has just ended, which has an event of its own.
    }
    return performance.now();
  }

  /**
   * After a pause of this process (a suspended machine, a busy loop) the timer is due before the answer that lies ready
   * was read, or before the thread had its time: neither says anything about the call.
   */
  #mayBeOverdue(id: number, limitMs: number): void {
    const running = this.#running;
    if (running?.id !== id) return;
    if (performance.now() - running.startedAt > 2 * limitMs + 50) {
      running.startedAt = performance.now();
      running.call.timer = setTimeout(() => this.#mayBeOverdue(id, limitMs), limitMs);
      return;
    }
    setImmediate(() => {
      if (this.#running?.id === id) this.#overdue();
    });
  }

  #overdue(): void {
    const { call } = this.#end();
    call.reject(new ThreadFault('overdue', this.#options.subject));
    this.#replaced += 1;
    void this.#drop();
    this.#next();
  }

  #waitedTooLong(call: Call<Input, Output>): void {
    const index = this.#waiting.indexOf(call);
    if (index < 0) return;
    this.#waiting.splice(index, 1);
    call.reject(new AppError('timeout', `${this.#options.subject} took too long.`));
  }

  #lost(worker: Worker, cause: Error): void {
    if (this.#worker !== worker) return;
    this.#replaced += 1;
    const { subject } = this.#options;
    if (this.#running) this.#end().call.reject(new ThreadFault('lost', subject, { cause }));
    // One that cannot start would be started for ever.
    else if (!this.#isReady) this.#rejectAll(new AppError('internal', `${subject} failed.`, { cause }));
    void this.#drop();
    this.#next();
  }

  #end(): Running<Input, Output> {
    const running = must(this.#running, 'a running call');
    clearTimeout(running.call.timer);
    if (running.lookTimer) clearTimeout(running.lookTimer);
    this.#running = null;
    return running;
  }

  #rejectAll(error: Error): void {
    if (this.#running) this.#end().call.reject(error);
    for (const call of this.#waiting.splice(0)) {
      clearTimeout(call.timer);
      call.reject(error);
    }
  }

  /** Lets the thread go; the next call starts a new one. */
  async #drop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#isReady = false;
    for (const timer of [this.#startTimer, this.#idleTimer]) if (timer) clearTimeout(timer);
    this.#idleTimer = null;
    await worker?.terminate();
  }
}

function stopping(): AppError {
  return new AppError('store_unavailable', 'Drover is stopping.');
}

function toError(code: string | null, message: string): Error {
  return code !== null && isErrorCode(code) ? new AppError(code, message) : new Error(message);
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUS, code);
}
