import type { LogEntry, LogState } from '#sync/log-frame.ts';
import { fitting, shownEntry, takeEntries, type OrderedEntry } from '../domain/log-take.ts';
import type { TailEntry } from '../domain/log-tail.ts';
import type { HostLogs } from './host-logs.ts';

/** How a source of lines is, and why. */
export interface LogSourceState {
  readonly state: LogState;
  readonly detail: string | null;
}

/** What a reader gets next. */
export interface NextEntries {
  /** Replaces what this reader had. */
  readonly begins: boolean;
  readonly hasNews: boolean;
  /** There is more, and it is worth a frame of its own soon. */
  readonly hasMore: boolean;
  readonly entries: readonly LogEntry[];
}

/** One subscriber on its way through a log: the tail as it was when it came, in order, and then what came since. */
export class LogReader {
  readonly #logs: HostLogs;
  readonly #marks = new Map<string, number>();
  #tail: { readonly source: string; readonly kept: TailEntry }[];
  #hasBegun = false;
  #stateIsNew = true;

  readonly #inFull: boolean;

  /** `fromNow`: what is held already is left out. `inFull`: it would rather wait than miss lines. */
  constructor(logs: HostLogs, options: { readonly fromNow: boolean; readonly inFull: boolean }) {
    const { fromNow, inFull } = options;
    this.#logs = logs;
    this.#inFull = inFull;
    for (const [source, { tail }] of logs.sources) this.#marks.set(source, tail.end);
    this.#tail = fromNow
      ? []
      : [...logs.sources]
          .flatMap(([source, { tail }]) => tail.after(0).map((kept) => ({ source, kept })))
          .sort((a, b) => a.kept.order - b.kept.order);
  }

  stateChanged(): void {
    this.#stateIsNew = true;
  }

  /** What comes next, in order of arrival. `secrets`: keys of ours that a host may repeat. */
  take(secrets: readonly string[]): NextEntries {
    const entries = this.#tail.length > 0 ? this.#nextOfTail(secrets) : this.#newEntries(secrets);
    const begins = !this.#hasBegun;
    const hasNews = begins || entries.length > 0 || this.#stateIsNew;
    this.#hasBegun = true;
    this.#stateIsNew = false;
    return { begins, hasNews, hasMore: this.#tail.length > 0 || this.#isBehind(), entries };
  }

  #nextOfTail(secrets: readonly string[]): LogEntry[] {
    const count = fitting(this.#tail.map(({ kept }) => kept));
    const next = this.#tail.slice(0, count);
    this.#tail = this.#tail.slice(count);
    return next.map(({ source, kept }) => shownEntry(kept, source, secrets));
  }

  #newEntries(secrets: readonly string[]): LogEntry[] {
    const taken: OrderedEntry[] = [];
    for (const [source, { tail }] of this.#logs.sources) {
      const mark = this.#marks.get(source) ?? 0;
      if (mark >= tail.end) continue;
      const part = takeEntries(tail, { source, mark, secrets, inFull: this.#inFull });
      this.#marks.set(source, part.mark);
      taken.push(...part.entries);
    }
    return taken.sort((a, b) => a.order - b.order).map(({ entry }) => entry);
  }

  #isBehind(): boolean {
    return [...this.#logs.sources].some(([source, { tail }]) => (this.#marks.get(source) ?? 0) < tail.end);
  }
}
