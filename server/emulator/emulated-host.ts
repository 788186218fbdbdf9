import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '../adapters/system-clock.ts';
import type { Clock } from '../domain/ports.ts';
import { must } from '#shared/lib/assert.ts';
import type { EmulatorConfig, ResolvedConfig } from './config.ts';
import { resolveConfig } from './config.ts';
import { answerControl, CONTROL_PREFIX } from './control.ts';
import { makeDispatch } from './dispatch.ts';
import type { Dispatch } from './dispatch.ts';
import { traitsOf } from './era.ts';
import type { Era, EraTraits } from './era.ts';
import { answerAtDoor, wakes } from './front-door.ts';
import type { FrontDoor } from './front-door.ts';
import { HostScript } from './host-script.ts';
import { HttpListener } from './http-listener.ts';
import { HostTime } from './host-time.ts';
import { LlamaSwap } from './llama-swap.ts';
import { presetGpus } from './performance.ts';
import type { GpuSpec, PastSample } from './performance.ts';
import { Records } from './records.ts';
import { Traffic } from './traffic.ts';
import type { TrafficOptions } from './traffic.ts';
import { Gate } from './wire/gate.ts';
import { HttpExchange } from './wire/http-exchange.ts';

/** How an emulated host is made. */
export interface EmulatedHostOptions {
  readonly era: Era;
  readonly config: EmulatorConfig;
  /** 0 (default) takes a free port; it is kept across restarts. */
  readonly port?: number;
  readonly clock?: Clock;
  /** GPUs by number (0–4, the second with unknown values) or one by one. Default 0. */
  readonly gpus?: number | readonly GpuSpec[];
  readonly cpuCores?: number;
  /** How far the host's clock is ahead of the real one. */
  readonly clockSkewMs?: number;
  /** The host's time zone; the default is eight hours behind, as in the recordings. */
  readonly utcOffsetMinutes?: number;
}

/**
 * An emulated machine with llama-swap on it. The class outlives its llama-swap: `stop`, `restart` and `kill` end the
 * process, `start` begins a new one on the same port. What a client sees is the era's wire; what really happened is in
 * `records`. Everything else is script for tests and the demo.
 */
export class EmulatedHost extends HostScript {
  readonly era: Era;
  readonly traits: EraTraits;
  readonly time: HostTime;
  readonly records = new Records();
  readonly #options: EmulatedHostOptions;
  readonly #gpus: readonly GpuSpec[];
  readonly #dispatch: Dispatch;
  readonly #gate = new Gate();
  readonly #listener: HttpListener;
  #config: ResolvedConfig;
  #process: LlamaSwap | null = null;
  #door: FrontDoor = { kind: 'direct' };
  #orphans: ReadonlySet<string> = new Set();
  #traffic: Traffic | null = null;

  constructor(options: EmulatedHostOptions) {
    super();
    this.#options = options;
    this.era = options.era;
    this.traits = traitsOf(options.era);
    this.time = new HostTime(options.clock ?? systemClock, {
      skewMs: options.clockSkewMs ?? 0,
      offsetMinutes: options.utcOffsetMinutes ?? -480,
    });
    this.#config = resolveConfig(options.config);
    this.#gpus = typeof options.gpus === 'object' ? options.gpus : presetGpus(options.gpus ?? 0);
    this.#dispatch = makeDispatch(this.traits);
    this.#listener = new HttpListener(options.port ?? 0, (request, response) =>
      this.#receive(request, response),
    );
  }

  /** Base address without a final slash. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return this.#listener.port;
  }

  get isRunning(): boolean {
    return this.#process !== null;
  }

  /** The running llama-swap; throws when there is none. */
  get llamaSwap(): LlamaSwap {
    return must(this.#process, 'a running llama-swap');
  }

  get config(): ResolvedConfig {
    return this.#config;
  }

  /** Listens on 127.0.0.1 and begins a fresh llama-swap process. */
  async start(): Promise<void> {
    if (this.#listener.isOpen) return;
    await this.#listener.open();
    const process = new LlamaSwap({
      traits: this.traits,
      time: this.time,
      config: this.#config,
      records: this.records,
      gpus: this.#gpus,
      cores: this.#options.cpuCores ?? 2,
      address: this.url,
    });
    this.#process = process;
    process.start(this.#orphans);
    this.#orphans = new Set();
    this.records.effect({ at: this.time.clock.now(), kind: 'started', modelId: null, by: 'script' });
  }

  /** Ends llama-swap cleanly: streams closed, models stopped, listener gone. */
  async stop(): Promise<void> {
    this.stopTraffic();
    const process = this.#process;
    this.#process = null;
    this.thaw();
    process?.close();
    await this.#listener.close();
    if (process) {
      this.records.effect({ at: this.time.clock.now(), kind: 'stopped', modelId: null, by: 'script' });
    }
  }

  /** A clean restart: activity ids, captures and the active profile begin anew. Traffic goes on. */
  async restart(): Promise<void> {
    const traffic = this.#traffic?.options ?? null;
    await this.stop();
    await this.start();
    if (traffic) this.startTraffic(traffic);
  }

  /**
   * `kill -9`: every connection is reset, nothing is said. With `orphans` the model processes live on and hold their
   * ports, so the first start of each fails after the next `start()`.
   */
  async kill(options: { readonly orphans?: boolean } = {}): Promise<void> {
    this.stopTraffic();
    const process = this.#process;
    this.#process = null;
    this.#gate.clear();
    this.#gate.open();
    // Connections first: a killed process ends no answer properly.
    const closed = this.#listener.close();
    const alive = process?.kill() ?? new Set<string>();
    if (options.orphans) this.#orphans = alive;
    this.records.effect({ at: this.time.clock.now(), kind: 'killed', modelId: null, by: 'script' });
    await closed;
  }

  /** A changed config file: all models stop, streams close, counters begin anew as the era does it. */
  async reload(config: EmulatorConfig = this.#config): Promise<void> {
    this.#config = resolveConfig(config);
    await this.llamaSwap.reload(this.#config);
  }

  /** New keys, as a config reload brings them. */
  async setApiKeys(apiKeys: readonly string[]): Promise<void> {
    await this.reload({ ...this.#config, apiKeys: [...apiKeys] });
  }

  /** Suspended machine: sockets stay open, nothing is read, answered or written. */
  freeze(): void {
    this.#gate.close();
    this.#process?.hub.freeze();
    this.#process?.logEvents.freeze();
  }

  /** Wakes the machine: what was held back is done now. */
  thaw(): void {
    this.#gate.open();
    this.#process?.hub.thaw();
    this.#process?.logEvents.thaw();
  }

  /** Puts something else in front of llama-swap, or takes it away. Open event streams of a sleeping host are cut. */
  setFrontDoor(door: FrontDoor): void {
    this.#door = door;
    if (door.kind !== 'direct' && !(door.kind === 'wol-proxy' && !door.asleep)) this.cutEvents();
  }

  get frontDoor(): FrontDoor {
    return this.#door;
  }

  /** Resets every open event stream's connection. */
  cutEvents(): void {
    this.#process?.hub.cut();
    this.#process?.logEvents.cut();
  }

  /** Ends every open event stream cleanly. */
  endEvents(): void {
    this.#process?.hub.end();
    this.#process?.logEvents.end();
  }

  /** A past of samples, as a host would list it that keeps more than an hour. */
  seedPerformance(past: readonly PastSample[]): void {
    this.llamaSwap.performance.seed(past);
  }

  /** Cards are put in or taken out of the running machine. */
  setGpus(gpus: readonly GpuSpec[]): void {
    this.llamaSwap.performance.setGpus(gpus);
  }

  startTraffic(options: TrafficOptions): void {
    this.stopTraffic();
    this.#traffic = new Traffic(() => this.#process, options);
    this.#traffic.start();
  }

  stopTraffic(): void {
    this.#traffic?.stop();
    this.#traffic = null;
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const exchange = new HttpExchange(request, response, this.time, this.#gate);
    if (exchange.url.pathname.startsWith(CONTROL_PREFIX)) {
      // Control answers whatever state the emulated host is in.
      answerControl(this, new HttpExchange(request, response, this.time, new Gate())).catch(() =>
        response.destroy(),
      );
      return;
    }
    this.records.received({
      at: this.time.clock.now(),
      method: exchange.method,
      path: request.url ?? '/',
      userAgent: exchange.header('user-agent'),
      wake: wakes(exchange.method, exchange.url.pathname),
    });
    this.#gate.run(() => {
      this.#answer(exchange).catch(() => response.destroy());
    });
  }

  async #answer(exchange: HttpExchange): Promise<void> {
    const door = this.#door;
    const wake = (): void => this.setFrontDoor({ kind: 'wol-proxy', asleep: false, wakeAfterMs: null });
    if (await answerAtDoor(door, exchange, { time: this.time, records: this.records, wake })) return;
    const process = this.#process;
    if (!process) {
      exchange.cut();
      return;
    }
    await this.#dispatch(process, exchange);
  }
}
