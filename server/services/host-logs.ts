import { LogSplitter, linesAfter } from '../domain/log-splitter.ts';
import { LogTail } from '../domain/log-tail.ts';

/** Names come from the host: more sources than any version has are not kept. */
const MAX_SOURCES = 8;

interface Source {
  readonly tail: LogTail;
  readonly splitter: LogSplitter;
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

  /** Counts chunks that nobody read, in every source: which ones they were of is not known. */
  dropped(count: number, now: number): void {
    const busiest = [...this.#sources.values()].reduce<Source | null>(
      (most, source) => (most === null || source.tail.end > most.tail.end ? source : most),
      null,
    );
    busiest?.tail.pushDropped({ order: (this.#order += 1), at: now, lines: count });
  }

  /** The host's own tail, as a stream begins with: only what is not held yet is added, at a time nobody knows. */
  #takeOver({ tail, splitter }: Source, text: string): boolean {
    splitter.reset();
    const history = splitter.push(text);
    const held = tail.newest(64).flatMap((entry) => (entry.type === 'line' ? [entry.text] : []));
    const unseen = linesAfter(held, history);
    if (unseen === null && held.length > 0 && history.length > 0) {
      tail.push({ type: 'dropped', order: (this.#order += 1), at: null, text: '', lines: null });
    }
    for (const line of unseen ?? history) this.#line({ tail, splitter }, line, null);
    return history.length > 0;
  }

  #line({ tail }: Source, text: string, at: number | null): void {
    tail.push({ type: 'line', order: (this.#order += 1), at, text, lines: 1 });
  }

  #source(name: string): Source | null {
    const known = this.#sources.get(name);
    if (known) return known;
    if (this.#sources.size >= MAX_SOURCES) return null;
    const source = { tail: new LogTail(), splitter: new LogSplitter() };
    this.#sources.set(name, source);
    return source;
  }
}
