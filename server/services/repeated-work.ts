import type { Clock } from '../domain/ports.ts';

/**
 * Work that begins at start and again every `everyMs`, one run of it at a time: a run that is due while one is under way
 * is left out. `run` ends early when `isStopped` says so, after the step it is at.
 */
export class RepeatedWork {
  readonly #run: (isStopped: () => boolean) => Promise<void>;
  readonly #every: { readonly clock: Clock; readonly everyMs: number };
  #running: Promise<void> | null = null;
  #stopped = true;
  #cancel: () => void = () => undefined;

  constructor(
    every: { readonly clock: Clock; readonly everyMs: number },
    run: (isStopped: () => boolean) => Promise<void>,
  ) {
    this.#every = every;
    this.#run = run;
  }

  start(): void {
    this.#stopped = false;
    this.#cancel = this.#every.clock.every(this.#every.everyMs, () => this.#begin());
    this.#begin();
  }

  /** Ends after the step under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
  }

  /** Resolves when no run is under way. */
  async settled(): Promise<void> {
    await this.#running;
  }

  #begin(): void {
    if (this.#stopped) return;
    this.#running ??= this.#run(() => this.#stopped).finally(() => {
      this.#running = null;
    });
  }
}
