import type { Model, ModelEvent } from '#shared/schemas/model.ts';
import { LogRing, type LogLine } from '../domain/log-ring.ts';
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
import { exitedModel, judgeStart } from '../domain/start-failure.ts';
import { unseenLines } from '../domain/unseen-lines.ts';
import { TtlReader } from './ttl-reader.ts';

/** An ended start is judged when its log lines had this long to arrive. */
const JUDGE_AFTER_MS = 700;
/** …and at the latest after this, whatever the model's own log does. */
const JUDGE_AT_LATEST_MS = 3_000;

/** Lines taken after a stop: its reason comes at once, and what other models write later is none. */
const MAX_LATE_LINES = 20;

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

interface PendingStart extends EndedStart {
  readonly abort: AbortController;
  readonly cancels: (() => void)[];
  /** Lines since the start; those that follow the stop are added while it waits. */
  hostLines: readonly LogLine[];
  lateLines: number;
  modelLines: readonly string[] | null;
  linesAwaited: boolean;
  /** Its own log was asked for. */
  isRead: boolean;
  ripe: boolean;
}

/** One host's models: every transition, and why a start failed. */
export class ModelFeed {
  readonly #options: ModelFeedOptions;
  #models: Map<string, Model>;
  #features: HostFeatures | null = null;
  /** A snapshot was seen on this connection: what changes from now on changes before our eyes. */
  #live = false;
  #beganAt = 0;
  readonly #ring = new LogRing();
  /** Where in the log each running start began. */
  readonly #startMarks = new Map<string, number>();
  readonly #pending = new Map<string, PendingStart>();
  #linesKeptAt: readonly number[] = [];
  /** Logs of models whose start ended without ready, as they were then. */
  readonly #ownLines = new Map<string, readonly string[]>();

  readonly #ttls: TtlReader;

  constructor(options: ModelFeedOptions) {
    this.#options = options;
    this.#ttls = new TtlReader({ ...options, onRead: (ttlMs) => this.#onTtls(ttlMs) });
    this.#models = this.#stored();
  }

  /** A stream opened: its first snapshot replaces everything. */
  begin(): void {
    this.end({ hostEnded: false });
    this.#live = false;
    this.#beganAt = this.#options.clock.now();
    this.#ring.clear();
    this.#startMarks.clear();
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
    for (const pending of this.#pending.values()) this.#readOwnLog(pending);
  }

  /** No stream counts any more: starts that wait for their reason are judged by what is there. */
  end({ hostEnded }: { readonly hostEnded: boolean }): void {
    for (const pending of this.#pending.values()) this.#judge(pending, hostEnded);
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
    const lines = this.#ring.append(source, text, this.#options.clock.now());
    for (const pending of this.#pending.values()) {
      const late = lines.slice(0, pending.lateLines);
      pending.lateLines -= late.length;
      pending.hostLines = [...pending.hostLines, ...late];
    }
    for (const line of lines) this.#onLine(line);
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
    for (const event of changes.events) this.#judgeNow(event.modelId);
    for (const ended of changes.endedStarts) this.#judgeNow(ended.modelId);
    const failures = new Map([...this.#models.values()].map((model) => [model.modelId, model.failedStart]));
    this.#models = new Map(
      changes.models.map((model) => {
        const failedStart =
          model.state === 'stopped' ? (failures.get(model.modelId) ?? model.failedStart) : null;
        return [model.modelId, { ...model, failedStart }];
      }),
    );
    for (const { modelId, to } of changes.events) {
      if (to === 'starting') this.#startMarks.set(modelId, this.#ring.count);
      else this.#startMarks.delete(modelId);
    }
    this.#write(changes.events);
    this.#ttls.look([...this.#models.values()]);
    for (const ended of changes.endedStarts) this.#await(ended);
  }

  #await(ended: EndedStart): void {
    const { clock } = this.#options;
    const abort = new AbortController();
    const pending: PendingStart = {
      ...ended,
      abort,
      cancels: [],
      hostLines: this.#ring.after(this.#startMarks.get(ended.modelId) ?? 0),
      lateLines: MAX_LATE_LINES,
      modelLines: null,
      linesAwaited: true,
      isRead: false,
      ripe: false,
    };
    this.#pending.set(ended.modelId, pending);
    pending.cancels.push(
      clock.after(JUDGE_AFTER_MS, () => {
        pending.ripe = true;
        if (!pending.linesAwaited) this.#judge(pending, false);
      }),
      clock.after(JUDGE_AT_LATEST_MS, () => this.#judge(pending, false)),
    );
    this.#readOwnLog(pending);
  }

  #readOwnLog(pending: PendingStart): void {
    if (this.#features === null || pending.isRead) return;
    pending.isRead = true;
    if (this.#features.modelLogs) {
      void this.#readModelLog(pending);
      return;
    }
    pending.linesAwaited = false;
    if (pending.ripe) this.#judge(pending, false);
  }

  async #readModelLog(pending: PendingStart): Promise<void> {
    const { client, hostId, log } = this.#options;
    try {
      const result = await client.modelLogLines(pending.modelId, pending.abort.signal);
      pending.modelLines = result.ok ? this.#newLines(pending.modelId, result.value) : null;
    } catch (error) {
      log.error({ hostId, error }, 'reading a model log threw');
    }
    pending.linesAwaited = false;
    if (pending.ripe) this.#judge(pending, false);
  }

  #onTtls(ttlMs: ReadonlyMap<string, number>): void {
    for (const [modelId, model] of this.#models) {
      const known = ttlMs.get(modelId);
      if (known !== undefined && model.state === 'ready')
        this.#models.set(modelId, { ...model, ttlMs: known });
    }
    this.#write([]);
  }

  /** What the model wrote since its log was read last, after the failed start before this one. */
  #newLines(modelId: string, lines: readonly string[]): readonly string[] {
    const fresh = unseenLines(this.#ownLines.get(modelId) ?? [], lines);
    this.#ownLines.set(modelId, lines);
    // A full tail of the very same lines looks as if nothing came.
    return fresh.length === 0 ? lines : fresh;
  }

  #judgeNow(modelId: string): void {
    const pending = this.#pending.get(modelId);
    if (pending) this.#judge(pending, false);
  }

  #judge(pending: PendingStart, hostEnded: boolean): void {
    if (this.#pending.get(pending.modelId) !== pending) return;
    this.#pending.delete(pending.modelId);
    pending.abort.abort();
    for (const cancel of pending.cancels) cancel();
    const { modelId, startedAt, stoppedAt } = pending;
    const verdict = judgeStart({
      modelId,
      startedMs: startedAt === null ? null : stoppedAt - startedAt,
      hostLines: pending.hostLines,
      modelLines: pending.modelLines,
      proxyLogSeen: this.#features?.logStream !== true,
      secrets: this.#options.client.secrets(),
      hostEnded,
    });
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
