import type { SettingStore } from '../domain/host-ports.ts';
import type { Log } from '../domain/ports.ts';
import type { HostService } from './host-service.ts';

/** Name of the setting that says the demo is on. */
const DEMO_SETTING = 'demo';

/** A host of the demo fleet: an emulated llama-swap of this process, at a port of its own. */
export interface DemoHost {
  readonly id: string;
  readonly label: string;
  readonly url: string;
}

/** Starts and stops the emulated hosts. */
export interface DemoFleet {
  /** `history: false` leaves out the made-up day: for a later start, when it was recorded already. */
  start(options: { readonly history: boolean }): Promise<readonly DemoHost[]>;
  stop(): Promise<void>;
}

/** What the service needs. */
export interface DemoServiceOptions {
  readonly fleet: DemoFleet;
  readonly hosts: HostService;
  readonly settings: SettingStore;
  readonly log: Log;
}

/** The demo fleet, on or off; which of them outlives a restart. Calls are carried out one after the other. */
export class DemoService {
  readonly #options: DemoServiceOptions;
  #running: readonly string[] | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: DemoServiceOptions) {
    this.#options = options;
  }

  /** Starts the fleet when it was on when the server last ran, or when `wanted` now. */
  async start(wanted: boolean): Promise<void> {
    if (!wanted && this.#options.settings.setting(DEMO_SETTING) !== 'on') return;
    try {
      await this.turnOn();
    } catch (error) {
      // Real hosts are watched all the same.
      this.#options.log.error({ error: String(error) }, 'the demo fleet did not start');
    }
  }

  /** Ends the emulated hosts with the process; they stay in the registry. */
  async stop(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#running === null) return;
      this.#running = null;
      await this.#options.fleet.stop();
    });
  }

  /** Ids of the demo hosts, started now if they were not running. */
  async turnOn(): Promise<readonly string[]> {
    return this.#inTurn(async () => {
      if (this.#running !== null) return this.#running;
      const recorded = this.#options.hosts.configs().some((host) => host.demo);
      const hosts = await this.#options.fleet.start({ history: !recorded });
      try {
        this.#options.hosts.applyDemo(hosts);
        this.#options.settings.setSetting(DEMO_SETTING, 'on');
      } catch (error) {
        await this.#options.fleet.stop();
        throw error;
      }
      this.#running = hosts.map((host) => host.id);
      this.#options.log.info({ hosts: this.#running }, 'the demo fleet is on');
      return this.#running;
    });
  }

  /** Takes the demo hosts away, with all that was recorded of them. */
  async turnOff(): Promise<void> {
    await this.#inTurn(async () => {
      this.#options.settings.setSetting(DEMO_SETTING, null);
      this.#options.hosts.purgeDemo();
      const wasRunning = this.#running !== null;
      this.#running = null;
      if (wasRunning) {
        await this.#options.fleet.stop();
        this.#options.log.info({}, 'the demo fleet is off');
      }
    });
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}
