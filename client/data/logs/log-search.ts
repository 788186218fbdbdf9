import type { LogLine } from './log-board.ts';
import {
  compilePattern,
  MAX_PATTERN,
  type MatchRange,
  type SearchAnswer,
  type SearchJob,
} from './search-lines.ts';

/** How long a pattern may take for what is held: then its worker is ended. */
const DEADLINE_MS = 2_000;

/** What a search found so far. Replaced when anything changes. */
export interface SearchView {
  readonly state: 'off' | 'searching' | 'done' | 'wrong' | 'too-slow';
  /** Why, when it is wrong. */
  readonly message: string | null;
  /** Where each line matches, by the line's key; lines without a match have none. */
  readonly ranges: ReadonlyMap<number, readonly MatchRange[]>;
}

/** Nothing is searched. */
export const NO_SEARCH: SearchView = { state: 'off', message: null, ranges: new Map() };

/** Where jobs are done; ended by the deadline. */
export interface SearchThread {
  post(job: SearchJob): void;
  end(): void;
}

/**
 * Searches a log that grows by one pattern: each line once, a job at a time, in a thread that is ended when it takes too
 * long. A pattern can take for ever on one line; the page it is typed into must not.
 */
export class LogSearch {
  readonly #startThread: (onAnswer: (answer: SearchAnswer) => void) => SearchThread;
  readonly #onView: (view: SearchView) => void;
  #thread: SearchThread | null = null;
  #deadline: ReturnType<typeof setTimeout> | null = null;
  #pattern = '';
  #lines: readonly LogLine[] = [];
  /** Key of the oldest line there was. */
  #first = 0;
  /** Key of the newest line that was given to the thread. */
  #searchedTo = 0;
  #jobId = 0;
  #view: SearchView = NO_SEARCH;

  constructor(
    startThread: (onAnswer: (answer: SearchAnswer) => void) => SearchThread,
    onView: (view: SearchView) => void,
  ) {
    this.#startThread = startThread;
    this.#onView = onView;
  }

  /** Searches for another pattern; an empty one ends it. */
  setPattern(pattern: string): void {
    if (pattern === this.#pattern) return;
    this.#end();
    this.#pattern = pattern.slice(0, MAX_PATTERN);
    this.#searchedTo = 0;
    if (this.#pattern === '') return this.#show(NO_SEARCH);
    const compiled = compilePattern(this.#pattern);
    if (!(compiled instanceof RegExp)) {
      return this.#show({ state: 'wrong', message: compiled.error, ranges: new Map() });
    }
    this.#show({ state: 'searching', message: null, ranges: new Map() });
    this.#next();
  }

  /** The lines there are now; those not seen yet are searched. */
  setLines(lines: readonly LogLine[]): void {
    this.#lines = lines;
    // Another log, the same one from its beginning, or earlier lines of it.
    const first = lines[0]?.key ?? 0;
    if ((lines.at(-1)?.key ?? 0) < this.#searchedTo || first < this.#first) this.#searchedTo = 0;
    this.#first = first;
    this.#next();
  }

  stop(): void {
    this.#end();
    this.#pattern = '';
  }

  #next(): void {
    const { state } = this.#view;
    if (this.#deadline !== null || (state !== 'searching' && state !== 'done')) return;
    const from = this.#lines.findIndex((line) => line.key > this.#searchedTo);
    if (from < 0) return state === 'done' ? undefined : this.#show({ ...this.#view, state: 'done' });
    const job = this.#lines.slice(from);
    this.#searchedTo = job.at(-1)?.key ?? 0;
    const id = (this.#jobId += 1);
    this.#thread ??= this.#startThread((answer) => this.#answered(answer));
    this.#deadline = setTimeout(() => this.#tooSlow(), DEADLINE_MS);
    this.#jobKeys = job.map((line) => line.key);
    this.#thread.post({ id, pattern: this.#pattern, lines: job.map((line) => line.plain) });
  }

  #jobKeys: readonly number[] = [];

  #answered({ id, ranges }: SearchAnswer): void {
    if (id !== this.#jobId || this.#deadline === null) return;
    clearTimeout(this.#deadline);
    this.#deadline = null;
    const oldest = this.#lines[0]?.key ?? 0;
    const kept = [...this.#view.ranges].filter(([key]) => key >= oldest);
    const found = ranges.flatMap((of, index): [number, readonly MatchRange[]][] => {
      const key = this.#jobKeys[index];
      return of.length === 0 || key === undefined ? [] : [[key, of]];
    });
    this.#show({ state: 'done', message: null, ranges: new Map([...kept, ...found]) });
    this.#next();
  }

  #tooSlow(): void {
    this.#end();
    this.#show({ ...this.#view, state: 'too-slow' });
  }

  #end(): void {
    if (this.#deadline !== null) clearTimeout(this.#deadline);
    this.#deadline = null;
    this.#thread?.end();
    this.#thread = null;
  }

  #show(view: SearchView): void {
    this.#view = view;
    this.#onView(view);
  }
}
