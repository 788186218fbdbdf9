import type { Clock } from '../../domain/ports.ts';
import type { EmulatedHost } from '../emulated-host.ts';
import type { DemoHostSpec } from './demo-hosts.ts';

const SCENE_MS = 75_000;
const FAILING_EVERY = 4;

/**
 * What happens on a demo host by itself: first loads, traffic, now and then another model's turn, sometimes one that
 * does not fit. When somebody unloaded the big models, nothing is loaded behind their back.
 */
export class DemoDirector {
  readonly #host: EmulatedHost;
  readonly #spec: DemoHostSpec;
  readonly #clock: Clock;
  #scene = 0;
  #stopTimer: () => void = () => {};

  constructor(host: EmulatedHost, spec: DemoHostSpec, clock: Clock) {
    this.#host = host;
    this.#spec = spec;
    this.#clock = clock;
  }

  start(): void {
    void this.#loadInTurn(this.#spec.startsWith);
    this.#host.startTraffic({
      ratePerSecond: this.#spec.ratePerSecond,
      failureShare: 0.03,
      hangUpShare: 0.02,
      firstModelId: null,
    });
    this.#stopTimer = this.#clock.every(SCENE_MS, () => void this.#next());
  }

  stop(): void {
    this.#stopTimer();
  }

  async #next(): Promise<void> {
    const { rotation, failing } = this.#spec;
    if (!this.#host.isRunning || !this.#isBigOneReady()) return;
    this.#scene += 1;
    const turn = rotation[this.#scene % rotation.length];
    const fails = failing !== null && this.#scene % FAILING_EVERY === 0;
    await this.#loadInTurn([...(fails ? [failing] : []), ...(turn === undefined ? [] : [turn])]);
  }

  async #loadInTurn(modelIds: readonly string[]): Promise<void> {
    for (const modelId of modelIds) {
      if (!this.#host.isRunning) return;
      await this.#host.load(modelId);
    }
  }

  #isBigOneReady(): boolean {
    return [...this.#host.llamaSwap.processes.values()].some(
      ({ config, state }) => config.group === 'default' && state === 'ready',
    );
  }
}
