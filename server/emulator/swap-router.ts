import type { ResolvedConfig } from './config.ts';
import type { EraTraits } from './era.ts';
import type { HostTime } from './host-time.ts';
import type { Logs } from './logs.ts';
import type { ModelProcess } from './model-process.ts';
import type { EffectCause } from './records.ts';

/** A place in a model's process, held while a request runs. */
export interface Lease {
  readonly process: ModelProcess;
  /** Aborted when the process ends under the request. */
  readonly gone: AbortSignal;
  release(): void;
}

/** Why a request did not get its model. */
export type LeaseRefusal =
  | { readonly kind: 'start-failed'; readonly reason: string }
  | { readonly kind: 'unloaded' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'shutting-down' }
  | { readonly kind: 'aborted' };

/** Outcome of asking for a model. */
export type LeaseResult =
  | { readonly ok: true; readonly lease: Lease }
  | { readonly ok: false; readonly refusal: LeaseRefusal };

interface Waiter {
  readonly process: ModelProcess;
  readonly by: EffectCause;
  readonly resolve: (result: LeaseResult) => void;
}

interface Group {
  readonly swap: boolean;
  readonly exclusive: boolean;
  readonly persistent: boolean;
}

const DEFAULT_GROUP: Group = { swap: true, exclusive: true, persistent: false };

/** Decides which models run: one at a time per swapping group, requests for others waiting in order of arrival. */
export class SwapRouter {
  readonly #processes: ReadonlyMap<string, ModelProcess>;
  readonly #groups: ReadonlyMap<string, Group>;
  readonly #traits: EraTraits;
  readonly #time: HostTime;
  readonly #logs: Logs;
  #waiters: Waiter[] = [];
  #closed = false;
  #stopTtl: () => void;

  constructor(options: {
    readonly processes: ReadonlyMap<string, ModelProcess>;
    readonly config: ResolvedConfig;
    readonly traits: EraTraits;
    readonly time: HostTime;
    readonly logs: Logs;
  }) {
    this.#processes = options.processes;
    this.#groups = new Map(options.config.groups.map((group) => [group.name, group]));
    this.#traits = options.traits;
    this.#time = options.time;
    this.#logs = options.logs;
    this.#stopTtl = options.time.clock.every(1000, () => this.#unloadIdle());
  }

  /** Waits for the model to be ready, loading it if need be. `signal` takes a waiting request out of the queue. */
  acquire(modelId: string, by: EffectCause, signal?: AbortSignal): Promise<LeaseResult> {
    const process = this.#processes.get(modelId);
    if (!process) throw new Error(`no such model: ${modelId}`);
    if (this.#closed) return Promise.resolve({ ok: false, refusal: { kind: 'shutting-down' } });
    if (signal?.aborted) return Promise.resolve({ ok: false, refusal: { kind: 'aborted' } });
    return new Promise((resolve) => {
      const onAbort = (): void => this.#refuse((other) => other === waiter, { kind: 'aborted' });
      const waiter: Waiter = {
        process,
        by,
        resolve: (result) => {
          signal?.removeEventListener('abort', onAbort);
          resolve(result);
        },
      };
      signal?.addEventListener('abort', onAbort);
      this.#waiters.push(waiter);
      this.#pump();
    });
  }

  /** Unloads one model: whoever waits for it is refused, whoever it serves is cut. */
  async unload(modelId: string, by: EffectCause): Promise<void> {
    const process = this.#processes.get(modelId);
    if (!process) throw new Error(`no such model: ${modelId}`);
    // The old server held the group's lock during a start, so the unload waited for it.
    if (this.#traits.server === 'gin') await process.starting;
    this.#refuse((waiter) => waiter.process === process, { kind: 'unloaded' });
    await process.stop(by);
    this.#pump();
  }

  async unloadAll(by: EffectCause): Promise<void> {
    await Promise.all([...this.#processes.keys()].map((modelId) => this.unload(modelId, by)));
  }

  /** Refuses everyone and stops every process. */
  async close(by: EffectCause): Promise<void> {
    this.#closed = true;
    this.#stopTtl();
    this.#refuse(() => true, { kind: 'shutting-down' });
    await Promise.all([...this.#processes.values()].map((process) => process.stop(by)));
  }

  /** As {@link close}, without waiting for processes to end: no clock needs to pass. */
  closeNow(by: EffectCause): void {
    this.#closed = true;
    this.#stopTtl();
    this.#refuse(() => true, { kind: 'shutting-down' });
    for (const process of this.#processes.values()) process.stopNow(by);
  }

  /** Ends everything at once. */
  kill(): void {
    this.#closed = true;
    this.#stopTtl();
    this.#waiters = [];
    for (const process of this.#processes.values()) process.kill();
  }

  #pump(): void {
    if (this.#closed) return;
    this.#grant();
    const head = this.#waiters[0];
    if (!head) return;
    const { process } = head;
    if (process.state !== 'stopped') return;
    const victims = this.#victimsOf(process);
    if (victims.length === 0) {
      void this.#start(process, head.by);
      return;
    }
    for (const victim of victims) {
      if (victim.inFlight > 0 || victim.state === 'starting') continue;
      void victim.stop('swap').then(() => this.#pump());
    }
  }

  async #start(process: ModelProcess, by: EffectCause): Promise<void> {
    const result = await process.start(by);
    if (!result.ok && result.reason !== 'aborted') {
      this.#refuse((waiter) => waiter.process === process, { kind: 'start-failed', reason: result.reason });
    }
    this.#pump();
  }

  // In order of arrival: whoever asks for a ready model gets it, unless an earlier request waits for that model's place.
  #grant(): void {
    const granted = new Set<Waiter>();
    const draining = new Set<ModelProcess>();
    for (const waiter of this.#waiters) {
      if (waiter.process.state === 'ready' && !draining.has(waiter.process)) granted.add(waiter);
      else for (const victim of this.#victimsOf(waiter.process)) draining.add(victim);
    }
    if (granted.size === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => !granted.has(waiter));
    for (const { process, resolve } of granted) {
      if (process.inFlight >= process.config.concurrencyLimit) {
        resolve({ ok: false, refusal: { kind: 'busy' } });
      } else {
        resolve({ ok: true, lease: this.#lease(process) });
      }
    }
  }

  #lease(process: ModelProcess): Lease {
    process.inFlight += 1;
    let released = false;
    return {
      process,
      gone: process.gone,
      release: () => {
        if (released) return;
        released = true;
        process.inFlight -= 1;
        process.lastUsedAt = this.#time.clock.now();
        this.#pump();
      },
    };
  }

  #victimsOf(target: ModelProcess): ModelProcess[] {
    const group = this.#groupOf(target);
    return [...this.#processes.values()].filter((process) => {
      if (process === target || process.state === 'stopped') return false;
      if (process.config.group === target.config.group) return group.swap;
      return group.exclusive && !this.#groupOf(process).persistent;
    });
  }

  #groupOf(process: ModelProcess): Group {
    return this.#groups.get(process.config.group) ?? DEFAULT_GROUP;
  }

  #refuse(which: (waiter: Waiter) => boolean, refusal: LeaseRefusal): void {
    const refused = this.#waiters.filter(which);
    this.#waiters = this.#waiters.filter((waiter) => !refused.includes(waiter));
    for (const waiter of refused) waiter.resolve({ ok: false, refusal });
    if (refused.length > 0) this.#pump();
  }

  #unloadIdle(): void {
    for (const process of this.#processes.values()) {
      const { ttlSeconds, id } = process.config;
      if (ttlSeconds === 0 || process.state !== 'ready' || process.inFlight > 0) continue;
      const idleMs = process.lastUsedAt === null ? Infinity : this.#time.clock.now() - process.lastUsedAt;
      if (idleMs < ttlSeconds * 1000) continue;
      this.#logs.proxy('INFO', `<${id}> Unloading model, TTL of ${ttlSeconds}s reached`);
      void process.stop('ttl').then(() => this.#pump());
    }
  }
}
