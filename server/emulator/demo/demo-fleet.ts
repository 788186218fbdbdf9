import { systemClock } from '../../adapters/system-clock.ts';
import type { Clock } from '../../domain/ports.ts';
import { EmulatedHost } from '../emulated-host.ts';
import { DemoDirector } from './demo-director.ts';
import { demoRows } from './demo-history.ts';
import { DEMO_HOSTS } from './demo-hosts.ts';
import { demoSamples } from './demo-samples.ts';

/** A running demo host. */
export interface DemoHost {
  readonly id: string;
  readonly label: string;
  readonly url: string;
}

/** How the fleet is made. */
export interface DemoFleetOptions {
  readonly clock?: Clock;
  readonly seed?: number;
}

/**
 * Three emulated hosts of different releases in this process, on free ports of 127.0.0.1, with a made-up day behind them
 * and traffic from now on.
 */
export class DemoFleet {
  readonly #clock: Clock;
  readonly #seed: number;
  #running: { readonly host: EmulatedHost; readonly director: DemoDirector }[] = [];

  constructor(options: DemoFleetOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#seed = options.seed ?? 7;
  }

  /** The hosts themselves, while they run. */
  get hosts(): readonly EmulatedHost[] {
    return this.#running.map(({ host }) => host);
  }

  /**
   * Starts every host. `history: false` leaves their past out: for a later start, when the day was recorded already and
   * a second one would be told beside it.
   */
  async start(options: { readonly history?: boolean } = {}): Promise<readonly DemoHost[]> {
    if (this.#running.length > 0) throw new Error('the demo fleet runs already');
    const now = this.#clock.now();
    const started: DemoHost[] = [];
    try {
      for (const spec of DEMO_HOSTS) {
        const host = new EmulatedHost({
          era: spec.era,
          clock: this.#clock,
          gpus: spec.gpus,
          cpuCores: spec.cpuCores,
          config: { ...spec.config, metricsMaxInMemory: 2000 },
        });
        const director = new DemoDirector(host, spec, this.#clock);
        this.#running.push({ host, director });
        await host.start();
        if (options.history !== false) {
          const rows = demoRows(spec, { now, seed: this.#seed });
          host.seedActivity(rows);
          host.seedPerformance(demoSamples(spec, rows, now));
        }
        director.start();
        started.push({ id: spec.id, label: spec.label, url: host.url });
      }
    } catch (error) {
      await this.stop();
      throw error;
    }
    return started;
  }

  /** Ends every host; ports, sockets and timers are gone when it resolves. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = [];
    for (const { director } of running) director.stop();
    await Promise.all(running.map(({ host }) => host.stop()));
  }
}
