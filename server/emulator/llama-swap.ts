import { ActivityRing } from './activity-ring.ts';
import type { NewActivity, StoredActivity } from './activity-ring.ts';
import { Captures } from './captures.ts';
import type { ResolvedConfig } from './config.ts';
import type { EraTraits } from './era.ts';
import { EventHub } from './event-hub.ts';
import { hardwareBody } from './hardware.ts';
import type { HostTime } from './host-time.ts';
import { InFlight } from './in-flight.ts';
import { LogEvents } from './log-events.ts';
import { Logs } from './logs.ts';
import { modelStatusJson } from './model-listing.ts';
import { ModelProcess } from './model-process.ts';
import { resolveName } from './name-resolution.ts';
import type { Resolved } from './name-resolution.ts';
import { Performance } from './performance.ts';
import type { GpuSpec } from './performance.ts';
import type { Records } from './records.ts';
import { SwapRouter } from './swap-router.ts';
import { goJson } from './wire/go-format.ts';

/** What one llama-swap process is made of. */
export interface LlamaSwapOptions {
  readonly traits: EraTraits;
  readonly time: HostTime;
  readonly config: ResolvedConfig;
  readonly records: Records;
  readonly gpus: readonly GpuSpec[];
  readonly cores: number;
  readonly address: string;
}

const STATUS_AFTER_RELOAD_MS = 3000;

/** One running llama-swap process: its models, rings and event streams. A restart makes a new one. */
export class LlamaSwap {
  readonly traits: EraTraits;
  readonly time: HostTime;
  readonly records: Records;
  readonly logs = new Logs();
  readonly hub: EventHub;
  readonly logEvents: LogEvents;
  readonly activity: ActivityRing;
  readonly captures: Captures;
  readonly inFlight: InFlight;
  readonly performance: Performance;
  readonly hardware: Readonly<Record<string, unknown>>;
  readonly #address: string;
  #config: ResolvedConfig;
  #processes = new Map<string, ModelProcess>();
  #router: SwapRouter;
  #profile: string | null;
  #completions = 0;
  #statusTimer: () => void = () => {};

  constructor(options: LlamaSwapOptions) {
    const { traits, time, config } = options;
    this.traits = traits;
    this.time = time;
    this.records = options.records;
    this.#config = config;
    this.#address = options.address;
    const warn = (text: string): void => this.logs.proxy('WARN', text);
    const { queueLength, dropWarning } = traits;
    this.hub = new EventHub({ time, queueLength, dropWarning, warn, handler: 'handleAPIEvents' });
    this.logEvents = new LogEvents({
      logs: this.logs,
      hub: new EventHub({ time, queueLength, dropWarning, warn, handler: 'handleAPILogEvents' }),
    });
    this.captures = new Captures(traits, config.captureBufferBytes);
    this.activity = new ActivityRing({
      traits,
      time,
      capacity: config.metricsMaxInMemory,
      hasCapture: (id) => this.captures.has(id),
    });
    this.inFlight = new InFlight(traits, time, (makeJson) => {
      if (this.hub.clientCount > 0) this.hub.send('inflight', makeJson());
    });
    this.performance = new Performance({
      traits,
      time,
      gpus: options.gpus,
      cores: options.cores,
      everyMs: config.performance.everyMs,
      load: () => ({ inFlight: this.inFlight.size, vramUsedMb: this.#vramUsed(options.gpus.length) }),
    });
    this.hardware = hardwareBody(traits, {
      capturedAt: time.nanoStamp().replace(/[+-]\d\d:\d\d$/, 'Z'),
      cores: options.cores,
      gpus: options.gpus,
    });
    this.#profile = traits.profiles ? config.startupProfile : null;
    this.#router = this.#makeModels(new Set());
    if (traits.logs.inEvents) {
      this.logs.listen((source, text) => {
        if (this.hub.clientCount > 0) this.hub.send('logData', goJson({ data: text, source }));
      });
    }
  }

  get config(): ResolvedConfig {
    return this.#config;
  }

  get processes(): ReadonlyMap<string, ModelProcess> {
    return this.#processes;
  }

  get router(): SwapRouter {
    return this.#router;
  }

  get profile(): string | null {
    return this.#profile;
  }

  /** Number of the next completion, as its id shows it. */
  nextCompletion(): number {
    this.#completions += 1;
    return this.#completions;
  }

  /** Begins to sample and says what a starting llama-swap says. `orphans` hold their ports from an earlier life. */
  start(orphans: ReadonlySet<string>): void {
    for (const id of orphans) {
      const process = this.#processes.get(id);
      if (process) process.orphaned = true;
    }
    this.performance.start();
    if (!this.traits.logs.startLines) return;
    if (this.#config.performance.enabled) this.logs.proxy('INFO', 'using nvidia-smi for GPU monitoring');
    this.logs.proxy('INFO', 'watching configuration for changes (poll-based, 2s interval)');
    this.logs.proxy('INFO', `llama-swap listening on ${this.#address}`);
  }

  /** Alias, active profile's pin, selector, peer or plain id. */
  resolve(name: string): Resolved {
    return resolveName(this, name);
  }

  modelStatus(): string {
    return modelStatusJson(this);
  }

  /** Stores a finished request and tells everyone. */
  record(row: NewActivity): StoredActivity {
    const stored = this.activity.add(row);
    this.announce(stored);
    return stored;
  }

  /** Tells clients of a row, in the era's way. */
  announce(row: StoredActivity): void {
    switch (this.traits.activityMessage) {
      case 'row':
        return this.hub.send('metrics', goJson(this.activity.wire(row)));
      case 'rows':
        return this.hub.send('metrics', goJson([this.activity.wire(row)]));
      case 'id':
        return this.hub.send('activity', goJson({ id: row.id }));
    }
  }

  /** Activates a profile, or none; nothing is said when it is active already. */
  setProfile(id: string | null): void {
    if (this.#profile === id) return;
    this.#profile = id;
    this.records.effect({ at: this.time.clock.now(), kind: 'profile', modelId: null, by: 'api', detail: id });
    this.logs.proxy('INFO', `active profile changed to "${id ?? ''}"`);
    this.hub.send('profileChanged', goJson({ active: id }));
    this.sendModelStatus();
  }

  /** Snapshot to every client, taken when it is delivered: two changes in one turn show the later state twice. */
  readonly sendModelStatus = (): void => {
    setImmediate(() => this.hub.send('modelStatus', this.modelStatus()));
  };

  /**
   * A new config replaces the server object: every model stops, streams close, rings survive or not by era. Keys that
   * need a restart (performance, capture buffer) keep their values.
   */
  async reload(config: ResolvedConfig): Promise<void> {
    if (this.traits.logs.startLines) this.logs.proxy('INFO', 'reloading configuration');
    this.records.effect({ at: this.time.clock.now(), kind: 'reloaded', modelId: null, by: 'reload' });
    const old = this.#router;
    const replace = (): void => {
      this.#config = config;
      this.#profile = this.traits.profiles ? config.startupProfile : null;
      this.#router = this.#makeModels(new Set());
      this.captures.clear();
      this.inFlight.reset();
      if (this.traits.activityListing === 'ring') this.activity.reset();
      if (!this.traits.logs.surviveReload) this.logs.clear();
      else this.logs.clearModels();
    };
    // Up to v217 the old server stops first; since v218 the new one takes traffic while the old one drains.
    if (this.traits.server === 'gin') {
      await old.close('reload');
      replace();
      this.#endStreams();
    } else {
      replace();
      this.#endStreams();
      await old.close('reload');
    }
    this.#statusTimer();
    this.#statusTimer = this.time.clock.after(STATUS_AFTER_RELOAD_MS, this.sendModelStatus);
  }

  /** Clean end: streams first, then the models. */
  close(): void {
    this.#endStreams();
    this.#quiet();
    this.#router.closeNow('exit');
  }

  /** The process is gone; returns the models whose processes would live on. */
  kill(): ReadonlySet<string> {
    const alive = [...this.#processes.values()].filter(({ state }) => state !== 'stopped');
    this.#quiet();
    this.#router.kill();
    return new Set(alive.map(({ config }) => config.id));
  }

  #quiet(): void {
    this.#statusTimer();
    this.performance.stop();
  }

  #endStreams(): void {
    this.hub.end();
    this.logEvents.end();
  }

  #makeModels(orphans: ReadonlySet<string>): SwapRouter {
    const { traits, time, logs, records } = this;
    const context = {
      traits,
      time,
      logs,
      records,
      healthCheckTimeoutMs: this.#config.healthCheckTimeoutMs,
      onState: this.sendModelStatus,
    };
    this.#processes = new Map(
      this.#config.models.map((model, index) => {
        const process = new ModelProcess(model, this.#config.startPort + index, context);
        process.orphaned = orphans.has(model.id);
        return [model.id, process];
      }),
    );
    return new SwapRouter({ processes: this.#processes, config: this.#config, traits, time, logs });
  }

  #vramUsed(gpuCount: number): readonly number[] {
    const used = Array.from({ length: gpuCount }, () => 0);
    if (gpuCount === 0) return used;
    for (const { state, config } of this.#processes.values()) {
      if (state === 'stopped') continue;
      for (let gpu = 0; gpu < gpuCount; gpu += 1) used[gpu] = (used[gpu] ?? 0) + config.vramMb / gpuCount;
    }
    return used;
  }
}
