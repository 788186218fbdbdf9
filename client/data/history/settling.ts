/** Steps one after another, and one settle after the last change that asks for it. */
export class Settling {
  readonly #setTimer: (task: () => void, delayMs: number) => void;
  readonly #settle: () => Promise<void>;
  /** The settle that is due: a sooner one takes its place. */
  #due: { readonly delayMs: number } | null = null;
  #steps: Promise<void> = Promise.resolve();

  constructor(setTimer: (task: () => void, delayMs: number) => void, settle: () => Promise<void>) {
    this.#setTimer = setTimer;
    this.#settle = settle;
  }

  /** Runs `task` after what came before it, whether or not that failed. */
  step<T>(task: () => Promise<T>): Promise<T> {
    const step = this.#steps.then(task);
    this.#steps = step.then(
      () => undefined,
      () => undefined,
    );
    return step;
  }

  /** Settles in `delayMs`, once for everything that changed meanwhile. */
  soon(delayMs: number): void {
    if (this.#due !== null && this.#due.delayMs <= delayMs) return;
    const due = { delayMs };
    this.#due = due;
    this.#setTimer(() => {
      if (this.#due !== due) return;
      void this.step(() => {
        if (this.#due === due) this.#due = null;
        return this.#settle();
      });
    }, delayMs);
  }
}
