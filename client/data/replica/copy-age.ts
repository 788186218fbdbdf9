/** How often "in step until" is written down while live. */
const STAMP_MS = 10_000;

/** How old the copy on this device is. Times of the copy are on the collector's clock, `now` is this device's. */
export class CopyAge {
  #wasLive = false;
  #lostAt: number | null = null;
  #inStepAt: number | null = null;
  #lastSyncAt: number | null = null;
  #stampedAt = 0;

  /** True once all documents were in step since the app started. */
  get wasLive(): boolean {
    return this.#wasLive;
  }

  /** Device time at which contact was lost; null while live, and before the first look. */
  get lostAt(): number | null {
    return this.#lostAt;
  }

  /** Until when the copy is known to be in step; null: never. */
  get inStepAt(): number | null {
    return this.#inStepAt;
  }

  /** When the last sync of all documents completed; null: never on this device. */
  get lastSyncAt(): number | null {
    return this.#lastSyncAt;
  }

  /** Takes over what an earlier run left. */
  restore(left: { readonly dataAsOf: number | null; readonly lastSyncAt: number | null }): void {
    this.#inStepAt = left.dataAsOf;
    this.#lastSyncAt = left.lastSyncAt;
  }

  /** There is no copy any more. */
  forget(): void {
    this.#inStepAt = null;
    this.#lastSyncAt = null;
  }

  /** All documents are in step, last heard at `heardAt`; true when they were not before. */
  inStep(heardAt: number, collectorNow: number): boolean {
    const isBack = this.#lostAt !== null || !this.#wasLive;
    this.#wasLive = true;
    this.#lostAt = null;
    this.#inStepAt = heardAt;
    if (isBack) this.#lastSyncAt = collectorNow;
    return isBack;
  }

  /** They are not; true when this is news. */
  lost(now: number): boolean {
    if (this.#lostAt !== null) return false;
    this.#lostAt = now;
    return true;
  }

  /** True when it is time to write down how old the copy is. */
  isStampDue(now: number): boolean {
    return now - this.#stampedAt > STAMP_MS;
  }

  /** It is being written down. */
  stamped(now: number): void {
    this.#stampedAt = now;
  }
}
