/** Frames at once, and how many come back a second. */
export interface FrameRate {
  readonly burstFrames: number;
  readonly framesPerSecond: number;
}

/** Counts the frames of one socket against a rate. */
export class FrameAllowance {
  readonly #rate: FrameRate;
  #left: number;
  #at: number;

  constructor(rate: FrameRate, now: number) {
    this.#rate = rate;
    this.#left = rate.burstFrames;
    this.#at = now;
  }

  /** Takes one frame; false when there were too many. */
  takes(now: number): boolean {
    const earned = (Math.max(0, now - this.#at) * this.#rate.framesPerSecond) / 1000;
    this.#left = Math.min(this.#rate.burstFrames, this.#left + earned);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
