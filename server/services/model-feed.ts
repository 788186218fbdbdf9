import type { Model, ModelEvent } from '#shared/schemas/model.ts';
import type { LogLine } from '../domain/log-ring.ts';
import {
  observeModels,
  snapshotWithExit,
  type EndedStart,
  type ModelChanges,
} from '../domain/model-transitions.ts';
import type {
  Clock,
  ConnectorStore,
  FleetSink,
  HostFeatures,
  LlamaSwapClient,
  Log,
  ObservedModel,
} from '../domain/ports.ts';
import { exitedModel, type StartVerdict } from '../domain/start-failure.ts';
import { EndedStarts } from './ended-starts.ts';
import { TtlReader } from './ttl-reader.ts';

/** Log lines go into the history of so many failed starts of a host. */
const KEPT_LINES = { failures: 12, withinMs: 3_600_000 } as const;

/** What a model feed works with. */
export interface ModelFeedOptions {
  readonly hostId: string;
  readonly client: LlamaSwapClient;
  readonly sink: FleetSink;
  readonly store: ConnectorStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** One host's models: every transition, and why a start failed. */
export class ModelFeed {
  readonly #options: ModelFeedOptions;
  #models: Map<string, Model>;
  #features: HostFeatures | null = null;
  /** A snapshot was seen on this connection: what changes from now on changes before our eyes. */
  #live = false;
  #beganAt = 0;
  #linesKeptAt: readonly number[] = [];
  readonly #starts: EndedStarts;
  readonly #ttls: TtlReader;

  constructor(options: ModelFeedOptions) {
    this.#options = options;
    this.#starts = new EndedStarts({
      ...options,
      onJudged: (ended, verdict) => this.#onJudged(ended, verdict),
    });
    this.#ttls = new TtlReader({ ...options, onRead: (ttlMs) => this.#onTtls(ttlMs) });
    this.#models = this.#stored();
  }

  /** A stream opened: its first snapshot replaces everything. */
  begin(): void {
    this.end({ hostEnded: false });
    this.#live = false;
    this.#beganAt = this.#options.clock.now();
    this.#starts.clear();
  }

  /**
   * The host was restarted before this connection: why a start failed is history. Where nobody saw it, a state that looks
   * unchanged is another process's, too.
   */
  restarted({ unseen }: { readonly unseen: boolean }): void {
    for (const [modelId, model] of this.#models) {
      const { since, failedStart } = model;
      this.#models.set(modelId, {
        ...model,
        since: unseen && since !== null && since < this.#beganAt ? null : since,
        failedStart:
          failedStart === null || failedStart.at >= this.#beganAt
            ? failedStart
            : { ...failedStart, beforeRestart: true },
      });
    }
    this.#write([]);
  }

  /** The probes are through; a start may have ended before them, when nobody knew yet where its log is. */
  synchronise(features: HostFeatures): void {
    const before = this.#features?.bootMarker ?? null;
    this.#features = features;
    this.#ttls.begin(features);
    this.#ttls.look([...this.#models.values()]);
    // Ids outlive a restart where the host keeps its activity on disk; this is told once a process (v247+).
    if (before !== null && features.bootMarker !== null && features.bootMarker !== before)
      this.restarted({ unseen: false });
    this.#starts.synchronise(features);
  }

  /** No stream counts any more: starts that wait for their reason are judged by what is there. */
  end({ hostEnded }: { readonly hostEnded: boolean }): void {
    this.#starts.judgeAll(hostEnded);
    this.#ttls.end();
    this.#live = false;
  }

  /** The store lost what it had not committed. */
  reload(): void {
    this.#options.sink.models(this.#options.hostId, [...this.#models.values()]);
  }

  /** A full snapshot. */
  onModels(snapshot: readonly ObservedModel[]): void {
    const changes = observeModels(this.#models, snapshot, {
      hostId: this.#options.hostId,
      now: this.#options.clock.now(),
      live: this.#live,
    });
    this.#live = true;
    this.#take(changes);
  }

  /** A chunk of log. What comes before the first snapshot is history, and explains nothing that happens now. */
  onLog(source: string, text: string): void {
    if (!this.#live) return;
    for (const line of this.#starts.append(source, text)) this.#onLine(line);
  }

  #onLine(line: LogLine): void {
    // From v218 every change of state is an event of its own.
    if (this.#features?.modelLogs) return;
    const exited = exitedModel(line);
    const model = exited && this.#models.get(exited.modelId);
    if (!model || model.state !== exited.state) return;
    this.#take(
      observeModels(this.#models, snapshotWithExit(this.#models, model.modelId), {
        hostId: this.#options.hostId,
        now: this.#options.clock.now(),
        live: true,
      }),
    );
  }

  #take(changes: ModelChanges): void {
    // Events of one model stay in order: what waits for its reason goes before what comes after.
    for (const event of changes.events) this.#starts.judgeNow(event.modelId);
    for (const ended of changes.endedStarts) this.#starts.judgeNow(ended.modelId);
    const failures = new Map([...this.#models.values()].map((model) => [model.modelId, model.failedStart]));
    this.#models = new Map(
      changes.models.map((model) => {
        const failedStart =
          model.state === 'stopped' ? (failures.get(model.modelId) ?? model.failedStart) : null;
        return [model.modelId, { ...model, failedStart }];
      }),
    );
    for (const { modelId, to } of changes.events) this.#starts.mark(modelId, to === 'starting');
    this.#write(changes.events);
    this.#ttls.look([...this.#models.values()]);
    for (const ended of changes.endedStarts) this.#starts.await(ended);
  }

  #onTtls(ttlMs: ReadonlyMap<string, number>): void {
    for (const [modelId, model] of this.#models) {
      const known = ttlMs.get(modelId);
      if (known !== undefined && model.state === 'ready')
        this.#models.set(modelId, { ...model, ttlMs: known });
    }
    this.#write([]);
  }

  #onJudged({ modelId, stoppedAt }: EndedStart, verdict: StartVerdict): void {
    const model = this.#models.get(modelId);
    if (verdict.failed && model?.state === 'stopped') {
      const failedStart = { at: stoppedAt, reason: verdict.reason, lines: verdict.lines };
      this.#models.set(modelId, { ...model, failedStart });
    }
    this.#write([
      {
        type: 'model-event',
        hostId: this.#options.hostId,
        modelId,
        at: stoppedAt,
        from: 'starting',
        to: 'stopped',
        reason: verdict.failed ? verdict.reason : null,
        ...(verdict.failed && verdict.lines.length > 0 && this.#mayKeepLines() && { lines: verdict.lines }),
      },
    ]);
  }

  /** A model that fails again and again says the same each time: its reasons are all kept, its lines not. */
  #mayKeepLines(): boolean {
    const now = this.#options.clock.now();
    const lately = this.#linesKeptAt.filter((at) => now - at < KEPT_LINES.withinMs);
    if (lately.length >= KEPT_LINES.failures) return false;
    this.#linesKeptAt = [...lately, now];
    return true;
  }

  #write(events: readonly ModelEvent[]): void {
    const { hostId, sink } = this.#options;
    if (events.length > 0) sink.modelEvents(hostId, events);
    sink.models(hostId, [...this.#models.values()]);
  }

  #stored(): Map<string, Model> {
    return new Map(this.#options.store.models(this.#options.hostId).map((model) => [model.modelId, model]));
  }
}
