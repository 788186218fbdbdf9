import type { CaptureReader } from '../../domain/captures/capture-ports.ts';
import type { ReadCapture } from '../../domain/captures/read-capture.ts';
import { ThreadCall } from '../thread/thread-call.ts';

/** A capture of 20 MB is read in about a second; what takes longer has a pattern to blame, or somebody's cunning. */
const DEADLINE_MS = 15_000;

/** Reads captures in a thread: megabytes of base64 and an operator's patterns hold up nobody else. */
export class ThreadCaptureReader implements CaptureReader {
  readonly #thread: ThreadCall<{ text: string; secrets: readonly string[] }, ReadCapture | null>;

  constructor(options: {
    readonly maxBytes: number;
    /** Patterns of what is secret besides, as text. */
    readonly patterns: readonly string[];
    readonly deadlineMs?: number;
  }) {
    const { maxBytes, patterns, deadlineMs = DEADLINE_MS } = options;
    this.#thread = new ThreadCall({
      module: new URL('./capture-thread.ts', import.meta.url),
      workerData: { maxBytes, patterns },
      deadlineMs,
      deadlineIn: 'cpu',
      waitMs: 60_000,
      idleMs: 10_000,
      subject: 'Reading the capture',
      maxPending: 8,
      resourceLimits: { maxOldGenerationSizeMb: 768 },
    });
  }

  read(text: string, secrets: readonly string[]): Promise<ReadCapture | null> {
    return this.#thread.call({ text, secrets });
  }

  /** Stops the thread; reads that wait are rejected. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
