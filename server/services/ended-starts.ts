import { LogRing, type LogLine } from '../domain/log-ring.ts';
import type { EndedStart } from '../domain/model-transitions.ts';
import type { Clock, HostFeatures, LlamaSwapClient, Log } from '../domain/ports.ts';
import { judgeStart, type StartVerdict } from '../domain/start-failure.ts';
import { unseenLines } from '../domain/unseen-lines.ts';

/** An ended start is judged when its log lines had this long to arrive. */
const JUDGE_AFTER_MS = 700;
/** …and at the latest after this, whatever the model's own log does. */
const JUDGE_AT_LATEST_MS = 3_000;

/** Lines taken after a stop: its reason comes at once, and what other models write later is none. */
const MAX_LATE_LINES = 20;

/** What the wait for reasons works with. */
export interface EndedStartsOptions {
  readonly hostId: string;
  readonly client: LlamaSwapClient;
  readonly clock: Clock;
  readonly log: Log;
  /** A start is judged, once. */
  readonly onJudged: (ended: EndedStart, verdict: StartVerdict) => void;
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

/** Starts of one host that ended without ready: each waits a moment for the log lines that say why, and is then judged. */
export class EndedStarts {
  readonly #options: EndedStartsOptions;
  readonly #ring = new LogRing();
  /** Where in the log each running start began. */
  readonly #startMarks = new Map<string, number>();
  readonly #pending = new Map<string, PendingStart>();
  /** Logs of models whose start ended without ready, as they were then. */
  readonly #ownLines = new Map<string, readonly string[]>();
  #features: HostFeatures | null = null;

  constructor(options: EndedStartsOptions) {
    this.#options = options;
  }

  /** Another stream: its log begins anew. */
  clear(): void {
    this.#ring.clear();
    this.#startMarks.clear();
  }

  /** The probes are through; a start may have ended before them, when nobody knew yet where its log is. */
  synchronise(features: HostFeatures): void {
    this.#features = features;
    for (const pending of this.#pending.values()) this.#readOwnLog(pending);
  }

  /** A chunk of log, given back as lines. */
  append(source: string, text: string): readonly LogLine[] {
    const lines = this.#ring.append(source, text, this.#options.clock.now());
    for (const pending of this.#pending.values()) {
      const late = lines.slice(0, pending.lateLines);
      pending.lateLines -= late.length;
      pending.hostLines = [...pending.hostLines, ...late];
    }
    return lines;
  }

  /** A model changed its state: what its log says of a start begins with it. */
  mark(modelId: string, isStarting: boolean): void {
    if (isStarting) this.#startMarks.set(modelId, this.#ring.count);
    else this.#startMarks.delete(modelId);
  }

  /** Waits for the reason of a start that ended; its mark must still be there. */
  await(ended: EndedStart): void {
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

  /** What the model wrote since its log was read last, after the failed start before this one. */
  #newLines(modelId: string, lines: readonly string[]): readonly string[] {
    const fresh = unseenLines(this.#ownLines.get(modelId) ?? [], lines);
    this.#ownLines.set(modelId, lines);
    // A full tail of the very same lines looks as if nothing came.
    return fresh.length === 0 ? lines : fresh;
  }

  /** Judges a model's start by what is there: something came after it. */
  judgeNow(modelId: string): void {
    const pending = this.#pending.get(modelId);
    if (pending) this.#judge(pending, false);
  }

  /** Judges all by what is there. */
  judgeAll(hostEnded: boolean): void {
    for (const pending of this.#pending.values()) this.#judge(pending, hostEnded);
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
    this.#options.onJudged(pending, verdict);
  }
}
