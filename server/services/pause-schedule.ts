import type { PauseControl } from '../domain/intent-kind.ts';
import type { Clock, HostConfig, Log } from '../domain/ports.ts';

/** What a schedule is made of. */
export interface PauseScheduleOptions {
  readonly hosts: {
    setPaused(id: string, paused: boolean, untilMs: number | null): void;
    configs(): readonly Pick<HostConfig, 'id' | 'paused' | 'pausedUntil'>[];
  };
  readonly clock: Clock;
  readonly log: Log;
}

const CHECK_MS = 1_000;

/** Pauses of monitoring, and when they end by themselves: kept with the host, so that a restart forgets none. */
export class PauseSchedule implements PauseControl {
  readonly #options: PauseScheduleOptions;
  #stop: (() => void) | null = null;

  constructor(options: PauseScheduleOptions) {
    this.#options = options;
  }

  start(): void {
    // Looked at each second: a suspended process ends its pauses when it wakes, and a failed write is tried again.
    this.#stop = this.#options.clock.every(CHECK_MS, () => this.#check());
  }

  stop(): void {
    this.#stop?.();
  }

  setPaused(hostId: string, paused: boolean, untilMs: number | null): void {
    this.#options.hosts.setPaused(hostId, paused, untilMs);
  }

  #check(): void {
    const { hosts, clock, log } = this.#options;
    for (const { id, paused, pausedUntil = null } of hosts.configs()) {
      if (!paused || pausedUntil === null || clock.now() < pausedUntil) continue;
      try {
        this.setPaused(id, false, null);
        log.info({ hostId: id }, 'a pause ended by itself');
      } catch (error) {
        log.warn({ hostId: id, error: String(error) }, 'a pause could not be ended yet');
      }
    }
  }
}
