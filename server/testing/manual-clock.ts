import type { Clock } from '../domain/ports.ts';

interface Timer {
  at: number;
  task: () => void;
  periodMs: number | null;
}

/** A clock that stands still until `advance` is called; timers that fall due run in order of time. */
export class ManualClock implements Clock {
  #now: number;
  #timers = new Set<Timer>();

  constructor(now = Date.UTC(2026, 10, 30, 12)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, task: () => void): () => void {
    return this.#add({ at: this.#now + delayMs, task, periodMs: null });
  }

  every(periodMs: number, task: () => void): () => void {
    return this.#add({ at: this.#now + periodMs, task, periodMs });
  }

  /** Moves time forward by `durationMs`, running every timer that falls due on the way. */
  advance(durationMs: number): void {
    const end = this.#now + durationMs;
    for (;;) {
      const next = [...this.#timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#now = Math.max(this.#now, next.at);
      if (next.periodMs === null) this.#timers.delete(next);
      else next.at += next.periodMs;
      next.task();
    }
    this.#now = end;
  }

  /** Jumps the clock without running timers: what a suspended process sees on waking. */
  jump(durationMs: number): void {
    this.#now += durationMs;
  }

  #add(timer: Timer): () => void {
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }
}
