/** Holds back everything the host would do on its sockets while it is frozen; order is kept. */
export class Gate {
  #held: (() => void)[] = [];
  #closed = false;

  get isClosed(): boolean {
    return this.#closed;
  }

  run(task: () => void): void {
    if (this.#closed) this.#held.push(task);
    else task();
  }

  close(): void {
    this.#closed = true;
  }

  open(): void {
    this.#closed = false;
    const held = this.#held;
    this.#held = [];
    for (const task of held) task();
  }

  /** Forgets what was held back: the machine never comes to it. */
  clear(): void {
    this.#held = [];
  }
}
