/** Limits how often something may fail: `max` failures of one address within `windowMs`. Successes cost nothing. */
export interface AttemptLimitOptions {
  readonly max: number;
  readonly windowMs: number;
  /** Addresses remembered; the oldest are forgotten first, so that a flood of addresses cannot fill the memory. */
  readonly maxAddresses: number;
}

/** Failed attempts by address, in a sliding window. */
export class AttemptLimit {
  readonly #options: AttemptLimitOptions;
  readonly #failures = new Map<string, readonly number[]>();

  constructor(options: AttemptLimitOptions) {
    this.#options = options;
  }

  /** How long `address` must wait before its next attempt; 0 when it may try now. */
  waitMs(address: string, now: number): number {
    const recent = this.#recent(address, now);
    if (recent.length < this.#options.max) return 0;
    const oldest = recent[recent.length - this.#options.max] ?? now;
    return Math.max(1, oldest + this.#options.windowMs - now);
  }

  /** Counts one failure of `address`. */
  failed(address: string, now: number): void {
    const recent = [...this.#recent(address, now), now].slice(-this.#options.max);
    this.#failures.delete(address);
    this.#failures.set(address, recent);
    if (this.#failures.size > this.#options.maxAddresses) {
      const first = this.#failures.keys().next();
      if (!first.done) this.#failures.delete(first.value);
    }
  }

  #recent(address: string, now: number): readonly number[] {
    // A clock set back would otherwise lock an address out for longer than the window.
    return (this.#failures.get(address) ?? []).filter((at) => at <= now && at > now - this.#options.windowMs);
  }
}
