import type { LoadOutcome, ModelConfig } from './config.ts';
import { commandOf } from './config.ts';
import type { EraTraits } from './era.ts';
import type { HostTime } from './host-time.ts';
import type { Logs } from './logs.ts';
import type { EffectCause, Records } from './records.ts';
import type { ServingScript } from './serving-script.ts';
import { playStart } from './start-script.ts';
import type { StartResult } from './start-script.ts';

/** States a model's process has on the wire. */
export type ProcessState = 'stopped' | 'starting' | 'ready' | 'stopping';

/** What a process needs of its host. */
export interface ProcessContext {
  readonly traits: EraTraits;
  readonly time: HostTime;
  readonly logs: Logs;
  readonly records: Records;
  readonly healthCheckTimeoutMs: number;
  /** A state changed and clients must hear of it. */
  readonly onState: () => void;
}

/** One model's process: starts, gets healthy or not, serves, stops, crashes. Timers run on the host's clock. */
export class ModelProcess {
  readonly config: ModelConfig;
  readonly port: number;
  readonly #context: ProcessContext;
  #state: ProcessState = 'stopped';
  #scripted: LoadOutcome[] = [];
  #answers: ServingScript[] = [];
  #timers = new Set<() => void>();
  #settle: ((result: StartResult) => void) | null = null;
  #starting: Promise<StartResult> | null = null;
  #stopping: Promise<void> | null = null;
  #gone = new AbortController();
  #tasks = 0;
  /** Requests it serves now. */
  inFlight = 0;
  /** End of its last request; null before the first. */
  lastUsedAt: number | null = null;
  readyAt: number | null = null;
  /** Its port is held by an orphan of a killed llama-swap: the next start fails. */
  orphaned = false;

  constructor(config: ModelConfig, port: number, context: ProcessContext) {
    this.config = config;
    this.port = port;
    this.#context = context;
  }

  get state(): ProcessState {
    return this.#state;
  }

  get command(): string {
    return commandOf(this.config, this.port);
  }

  get proxy(): string {
    return `http://localhost:${this.port}`;
  }

  /** Aborted when this run of the process ends. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** The start that is under way, if one is. */
  get starting(): Promise<StartResult> | null {
    return this.#starting;
  }

  /** The outcomes of the next starts, first one first; afterwards the configured one again. */
  scriptStarts(outcomes: readonly LoadOutcome[]): void {
    this.#scripted = [...outcomes];
  }

  /** How the next requests are answered, first one first; then as usual again. */
  scriptAnswers(scripts: readonly ServingScript[]): void {
    this.#answers = [...scripts];
  }

  /** The script of the request that is served now. */
  takeAnswerScript(): ServingScript {
    return this.#answers.shift() ?? {};
  }

  /** A number for the next request's log lines. */
  nextTask(): number {
    this.#tasks += 1;
    return this.#tasks;
  }

  log(text: string): void {
    this.#context.logs.write('upstream', text, this.config.id);
  }

  start(by: EffectCause): Promise<StartResult> {
    if (this.#starting) return this.#starting;
    this.#gone = new AbortController();
    this.#tasks = 0;
    this.#set('starting');
    this.#context.records.effect({
      at: this.#now(),
      kind: 'loading',
      modelId: this.config.id,
      by,
    });
    this.#starting = new Promise<StartResult>((resolve) => {
      this.#settle = (result) => {
        this.#settle = null;
        this.#starting = null;
        this.#clearTimers();
        if (result.ok) this.#becomeReady(by);
        else this.#failStart(by, result.reason);
        resolve(result);
      };
      this.#begin(this.#nextOutcome());
    });
    return this.#starting;
  }

  /** Stops the process, whatever it does; requests it serves are cut when it exits. */
  stop(by: EffectCause): Promise<void> {
    const silent = this.#context.traits.silentExits && (by === 'reload' || by === 'exit');
    const set = (state: ProcessState): void => (silent ? void (this.#state = state) : this.#set(state));
    if (this.#stopping) return this.#stopping;
    if (this.#state === 'stopped') return Promise.resolve();
    if (this.#state === 'starting') {
      this.log('Received SIGTERM, cleaning up\n');
      this.#settle?.({ ok: false, reason: 'aborted' });
      return Promise.resolve();
    }
    set('stopping');
    this.#context.records.effect({ at: this.#now(), kind: 'unloading', modelId: this.config.id, by });
    this.log('Received SIGTERM, cleaning up\n');
    this.#stopping = new Promise<void>((resolve) => {
      this.#after(this.config.stopMs, () => {
        this.#stopping = null;
        this.#end();
        this.#context.records.effect({ at: this.#now(), kind: 'unloaded', modelId: this.config.id, by });
        set('stopped');
        resolve();
      });
    });
    return this.#stopping;
  }

  /** Ends the process without waiting for it: llama-swap itself ends. */
  stopNow(by: EffectCause): void {
    if (this.#state === 'stopped') return;
    this.kill();
    this.#context.records.effect({ at: this.#now(), kind: 'unloaded', modelId: this.config.id, by });
  }

  /** The process dies by itself. Up to v217 nobody is told. */
  crash(): void {
    if (this.#state !== 'ready') return;
    this.log('\u001B[31mSIGSEGV\u001B[0m\n');
    this.#end();
    const { traits, logs, records, onState } = this.#context;
    const id = this.config.id;
    if (traits.server === 'gin') {
      logs.proxy('WARN', `<${id}> ExitError >> exit status 139, exit code: 139`);
      logs.proxy('INFO', `<${id}> process exited but not StateStopping, current state: ready`);
    } else {
      logs.proxy(
        'WARN',
        traits.exitWords === 'running'
          ? `group: running ${id} exited: [${id}] upstream exited unexpectedly`
          : `<${id}> upstream process exited unexpectedly`,
      );
    }
    records.effect({ at: this.#now(), kind: 'crashed', modelId: id, by: 'script' });
    this.#state = 'stopped';
    if (!traits.silentExits) onState();
  }

  /** Ends everything at once without a word: the machine's process table is gone. */
  kill(): void {
    this.#clearTimers();
    this.#settle = null;
    this.#starting = null;
    this.#stopping = null;
    this.#end();
    this.#state = 'stopped';
  }

  #nextOutcome(): LoadOutcome {
    if (this.orphaned) {
      this.orphaned = false;
      return 'port-in-use';
    }
    return this.#scripted.shift() ?? this.config.load.outcome;
  }

  #begin(outcome: LoadOutcome): void {
    const { traits, logs, healthCheckTimeoutMs } = this.#context;
    playStart(outcome, {
      model: this.config,
      port: this.port,
      traits,
      logs,
      healthCheckTimeoutMs,
      after: (delayMs, task) => this.#after(delayMs, task),
      settle: (result) => this.#settle?.(result),
    });
  }

  #becomeReady(by: EffectCause): void {
    const { logs, records, traits } = this.#context;
    this.readyAt = this.#now();
    this.lastUsedAt = traits.ttlFromReady ? this.readyAt : null;
    logs.proxy('INFO', `<${this.config.id}> Health check passed on ${this.proxy}/health`);
    records.effect({ at: this.readyAt, kind: 'loaded', modelId: this.config.id, by });
    this.#set('ready');
  }

  #failStart(by: EffectCause, reason: string): void {
    const { logs, records, traits } = this.#context;
    this.#end();
    const { id } = this.config;
    if (traits.server === 'mux') {
      const words = traits.exitWords === 'running' ? `running ${id} exited` : `starting ${id} failed`;
      logs.proxy('WARN', `group: ${words}: ${reason}`);
    }
    records.effect({
      at: this.#now(),
      kind: 'load_failed',
      modelId: this.config.id,
      by,
      detail: reason,
    });
    if (traits.silentExits) this.#state = 'stopped';
    else this.#set('stopped');
  }

  #end(): void {
    this.#clearTimers();
    this.readyAt = null;
    if (this.#context.traits.logs.perModel === 'cleared') this.#context.logs.clearModel(this.config.id);
    this.#gone.abort();
  }

  #set(state: ProcessState): void {
    this.#state = state;
    this.#context.onState();
  }

  #now(): number {
    return this.#context.time.clock.now();
  }

  #after(delayMs: number, task: () => void): void {
    const cancel = this.#context.time.clock.after(delayMs, () => {
      this.#timers.delete(cancel);
      task();
    });
    this.#timers.add(cancel);
  }

  #clearTimers(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }
}
