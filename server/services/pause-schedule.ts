import type { SettingStore } from '../domain/host-ports.ts';
import type { PauseControl } from '../domain/intent-kind.ts';
import type { Clock, HostConfig, Log } from '../domain/ports.ts';

/** What a schedule is made of. */
export interface PauseScheduleOptions {
  readonly hosts: {
    setPaused(id: string, paused: boolean): void;
    configs(): readonly Pick<HostConfig, 'id' | 'paused'>[];
  };
  readonly settings: SettingStore;
  readonly clock: Clock;
  readonly log: Log;
}

const CHECK_MS = 1_000;

/** Pauses of monitoring, and when they end by themselves: kept, so that a restart forgets none. */
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
    const { hosts, settings } = this.#options;
    settings.setSetting(nameOf(hostId), paused && untilMs !== null ? String(untilMs) : null);
    hosts.setPaused(hostId, paused);
  }

  #check(): void {
    const { hosts, settings, clock, log } = this.#options;
    for (const { id, paused } of hosts.configs()) {
      if (!paused) continue;
      try {
        const until = Number(settings.setting(nameOf(id)) ?? Number.NaN);
        if (!(clock.now() >= until)) continue;
        this.setPaused(id, false, null);
        log.info({ hostId: id }, 'a pause ended by itself');
      } catch (error) {
        log.warn({ hostId: id, error: String(error) }, 'a pause could not be ended yet');
      }
    }
  }
}

function nameOf(hostId: string): string {
  return `host.${hostId}.paused-until`;
}
