import type { Clock } from '../domain/ports.ts';
import { rfc3339 } from './wire/go-format.ts';

/** The monotonic clock drifts from the wall clock; further apart than this they are not the same clock. */
const MAX_DRIFT_MS = 50;

/** The emulated machine's own clock: skewed and in its own time zone, with nanoseconds that differ between calls. */
export class HostTime {
  readonly clock: Clock;
  skewMs: number;
  /** Minutes its zone is ahead of UTC; another number is what a change of summer time is. */
  offsetMinutes: number;
  #tick = 0;

  constructor(clock: Clock, options: { skewMs: number; offsetMinutes: number }) {
    this.clock = clock;
    this.skewMs = options.skewMs;
    this.offsetMinutes = options.offsetMinutes;
  }

  /** Epoch milliseconds by the host's clock. */
  now(): number {
    return this.clock.now() + this.skewMs;
  }

  /** Real epoch milliseconds with fractions; whole ones where the clock is not the machine's. */
  precise(): number {
    const now = this.clock.now();
    const precise = performance.timeOrigin + performance.now();
    return Math.abs(precise - now) < MAX_DRIFT_MS ? precise : now;
  }

  /** Go's RFC3339Nano in the host's zone. */
  nanoStamp(at = this.now()): string {
    this.#tick = (this.#tick + 104_729) % 1_000_000;
    return rfc3339(at, this.offsetMinutes, this.#tick);
  }

  /** Whole seconds in the host's zone. */
  secondStamp(at = this.now()): string {
    return rfc3339(at, this.offsetMinutes, null);
  }

  /** Whole seconds in UTC. */
  utcStamp(at = this.now()): string {
    return rfc3339(at, 0, null);
  }
}
