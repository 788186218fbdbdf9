import { cleanLogText } from '#shared/lib/clean-log-text.ts';
import type { KeptLogEntry } from '#shared/schemas/log.ts';
import { LogSplitter, linesAfter } from '../domain/log-splitter.ts';
import { LogTail } from '../domain/log-tail.ts';

/** Names come from the host: more sources than any version has are not kept. */
const MAX_SOURCES = 8;

interface Source {
  readonly tail: LogTail;
  readonly splitter: LogSplitter;
  /** It holds lines from before this process, as they were kept: fit to be shown, not as they came. */
  isSeeded: boolean;
}

/** What is held of one log of a host: its own sources, or the one source of a model. */
export class HostLogs {
  readonly #sources = new Map<string, Source>();
  #order = 0;

  get sources(): ReadonlyMap<string, Source> {
    return this.#sources;
  }

  /** Adds what came; true when there is something new to tell. */
  append(
    chunk: { readonly source: string; readonly text: string; readonly isHistory: boolean },
    now: number,
  ): boolean {
    const source = this.#source(chunk.source);
    if (source === null) return false;
    if (chunk.isHistory) return this.#takeOver(source, chunk.text);
    const lines = source.splitter.push(chunk.text);
    for (const text of lines) this.#line(source, text, now);
    return lines.length > 0;
  }

  /** Begins with lines that were kept before this process, oldest first. */
  seed(entries: readonly KeptLogEntry[]): void {
    for (const entry of entries) {
      const source = this.#source(entry.source);
      if (source === null) continue;
      source.isSeeded = true;
      const order = (this.#order += 1);
      if (entry.type === 'line')
        source.tail.push({ type: 'line', order, at: entry.at, text: entry.text, lines: 1 });
      else source.tail.push({ type: 'dropped', order, at: entry.at, text: '', lines: entry.count });
    }
  }

  /** Counts chunks that nobody read, in every source: which ones they were of is not known. */
  dropped(count: number, now: number): void {
    const busiest = [...this.#sources.values()].reduce<Source | null>(
      (most, source) => (most === null || source.tail.end > most.tail.end ? source : most),
      null,
    );
    busiest?.tail.pushDropped({ order: (this.#order += 1), at: now, lines: count });
  }

  /** The host's own tail, as a stream begins with: only what is not held yet is added, at a time nobody knows. */
  #takeOver(source: Source, text: string): boolean {
    const { tail, splitter } = source;
    splitter.reset();
    const history = splitter.push(text);
    const known = tail.newest(64).flatMap((entry) => (entry.type === 'line' ? [entry.text] : []));
    // What was kept is told apart by what is shown of it; from here on lines are as they came.
    const shown = (line: string): string => (source.isSeeded ? cleanLogText(line) : line);
    const held = known.map(shown);
    const after = linesAfter(held, history.map(shown));
    source.isSeeded = false;
    const unseen = after === null ? null : history.slice(history.length - after.length);
    if (unseen === null && held.length > 0 && history.length > 0) {
      tail.push({ type: 'dropped', order: (this.#order += 1), at: null, text: '', lines: null });
    }
    for (const line of unseen ?? history) this.#line(source, line, null);
    return history.length > 0;
  }

  #line({ tail }: Source, text: string, at: number | null): void {
    tail.push({ type: 'line', order: (this.#order += 1), at, text, lines: 1 });
  }

  #source(name: string): Source | null {
    const known = this.#sources.get(name);
    if (known) return known;
    if (this.#sources.size >= MAX_SOURCES) return null;
    const source = { tail: new LogTail(), splitter: new LogSplitter(), isSeeded: false };
    this.#sources.set(name, source);
    return source;
  }
}
