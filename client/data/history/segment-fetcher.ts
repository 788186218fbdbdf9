import type { SegmentEntry } from '#shared/schemas/segment.ts';
import type { ApiError, Result } from '../types.ts';

const PARALLEL = 4;
const RETRY_MS = 15_000;

/** How {@link SegmentFetcher} is set up. */
export interface SegmentFetcherOptions {
  /** Fetches one blob from the collector. */
  readonly fetchSegment: (entry: SegmentEntry) => Promise<Result<Uint8Array>>;
  /** Checks and keeps a blob; an error text when it is not what its entry says. */
  readonly accept: (entry: SegmentEntry, bytes: Uint8Array) => Promise<string | null>;
  /** A fetch ended, well or not. */
  readonly onChange: () => void;
  readonly setTimer: (task: () => void, delayMs: number) => void;
}

/** Fetches wanted segments, a few at a time, in the order given; what fails is tried again later, not at once. */
export class SegmentFetcher {
  readonly #options: SegmentFetcherOptions;
  #wanted: readonly SegmentEntry[] = [];
  #online = false;
  readonly #active = new Set<string>();
  readonly #failed = new Map<string, ApiError>();

  constructor(options: SegmentFetcherOptions) {
    this.#options = options;
  }

  /** Replaces what is wanted; what is under way goes on. */
  want(entries: readonly SegmentEntry[]): void {
    this.#wanted = entries;
    this.#pump();
  }

  setOnline(online: boolean): void {
    if (online && !this.#online) this.#failed.clear();
    this.#online = online;
    this.#pump();
  }

  /** Tries again what failed: the manifest changed, or a person asked. */
  forgive(): void {
    this.#failed.clear();
  }

  /** Why the last try of a segment failed; null when it did not. */
  failure(hash: string): ApiError | null {
    return this.#failed.get(hash) ?? null;
  }

  #pump(): void {
    if (!this.#online) return;
    for (const entry of this.#wanted) {
      if (this.#active.size >= PARALLEL) return;
      if (this.#active.has(entry.hash) || this.#failed.has(entry.hash)) continue;
      this.#active.add(entry.hash);
      void this.#fetch(entry);
    }
  }

  async #fetch(entry: SegmentEntry): Promise<void> {
    const failure = await this.#fetchOnce(entry);
    if (failure) {
      this.#failed.set(entry.hash, failure);
      if (failure.status !== 404 && failure.code !== 'damaged') {
        this.#options.setTimer(() => {
          this.#failed.delete(entry.hash);
          this.#pump();
        }, RETRY_MS);
      }
    }
    this.#active.delete(entry.hash);
    this.#wanted = this.#wanted.filter(({ hash }) => failure !== null || hash !== entry.hash);
    this.#options.onChange();
    this.#pump();
  }

  async #fetchOnce(entry: SegmentEntry): Promise<ApiError | null> {
    const answer = await this.#options.fetchSegment(entry);
    if (!answer.ok) return answer;
    const problem = await this.#options.accept(entry, answer.value);
    return problem === null
      ? null
      : { ok: false, status: 200, code: 'damaged', message: problem, retryAfterMs: null, details: [] };
  }
}
