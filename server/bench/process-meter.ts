import { monitorEventLoopDelay } from 'node:perf_hooks';
import { z } from 'zod';

/** What a process used since the meter was reset. */
export const usage = z.object({
  /** Share of one core, all threads. */
  cpuShare: z.number(),
  rssMb: z.number(),
  /** Longest time the event loop served nothing. */
  stallMs: z.number(),
});
/** See {@link usage}. */
export type Usage = z.infer<typeof usage>;

const RESOLUTION_MS = 2;

/** Measures the process it runs in. */
export class ProcessMeter {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #cpu = process.cpuUsage();
  #at = performance.now();

  reset(): void {
    this.#delay.enable();
    this.#delay.reset();
    this.#cpu = process.cpuUsage();
    this.#at = performance.now();
  }

  read(): Usage {
    const { user, system } = process.cpuUsage(this.#cpu);
    const elapsedMs = performance.now() - this.#at;
    return {
      cpuShare: (user + system) / 1000 / elapsedMs,
      rssMb: process.memoryUsage().rss / 1024 / 1024,
      // The histogram holds the whole interval between two turns; what is over its own period is the stall.
      stallMs: Math.max(0, this.#delay.max / 1e6 - RESOLUTION_MS),
    };
  }
}
