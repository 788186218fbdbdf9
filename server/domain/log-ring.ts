/** A line of a host's log as it arrived. */
export interface LogLine {
  readonly at: number;
  readonly source: string;
  readonly text: string;
}

const MAX_LINES = 400;
const MAX_LINE_LENGTH = 400;
/** More than this of one chunk is history or a flood: its end is what may explain something. */
const MAX_CHUNK = 32_768;
/** A line without an end is cut off here. */
const MAX_REST = 4_096;

// eslint-disable-next-line no-control-regex -- escape sequences begin with a control character
const ANSI = /\u001B\[[0-9;?]*[ -/]*[@-~]/g;

/** The newest lines of a host's logs, few and short: to explain a failed start, not to be a log. */
export class LogRing {
  #lines: LogLine[] = [];
  #count = 0;
  readonly #rest = new Map<string, string>();

  /** Takes a chunk as it came: it may begin and end anywhere. Returns the lines it completed. */
  append(source: string, chunk: string, at: number): readonly LogLine[] {
    const text = (this.#rest.get(source) ?? '') + chunk.slice(-MAX_CHUNK);
    const parts = text.split('\n');
    this.#rest.set(source, (parts.pop() ?? '').slice(-MAX_REST));
    const lines = parts.map((part) => ({ at, source, text: plain(part) })).filter((line) => line.text !== '');
    this.#lines = [...this.#lines, ...lines].slice(-MAX_LINES);
    this.#count += lines.length;
    return lines;
  }

  /** How many lines were completed so far: a mark for `after`. */
  get count(): number {
    return this.#count;
  }

  /** Lines after a mark, oldest first, as far as they are kept. */
  after(mark: number): readonly LogLine[] {
    const newer = this.#count - mark;
    return newer <= 0 ? [] : this.#lines.slice(-newer);
  }

  /** Forgets everything: what comes next is not what followed. */
  clear(): void {
    this.#lines = [];
    this.#rest.clear();
  }
}

/** A log line as text: no escape sequences, bounded. */
export function plain(line: string): string {
  const text = line.replaceAll(ANSI, '').trimEnd();
  return text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH - 1)}…` : text;
}
