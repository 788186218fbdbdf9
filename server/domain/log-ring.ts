/** A line of a host's log as it arrived: not redacted, without escape sequences, and cut where it is very long. */
export interface LogLine {
  readonly at: number;
  readonly source: string;
  readonly text: string;
}

const MAX_LINES = 400;
/** Far more than is shown: a line is redacted before it is cut to that, or half of a secret could be left. */
const MAX_LINE_LENGTH = 1_600;
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
    const parts = this.#textOf(source, chunk).split('\n');
    this.#rest.set(source, (parts.pop() ?? '').slice(0, MAX_REST));
    const lines = parts.map((part) => ({ at, source, text: plain(part) })).filter((line) => line.text !== '');
    this.#lines = [...this.#lines, ...lines].slice(-MAX_LINES);
    this.#count += lines.length;
    return lines;
  }

  /** The end of a chunk after what waits for it. A long one counts from a whole line on: a cut could halve a secret. */
  #textOf(source: string, chunk: string): string {
    const rest = this.#rest.get(source) ?? '';
    const cut = chunk.length - MAX_CHUNK;
    if (cut <= 0) return rest + chunk;
    const next = chunk.indexOf('\n', cut) + 1;
    const start = next > 0 ? next : chunk.lastIndexOf('\n') + 1;
    return start > 0 ? chunk.slice(start) : rest + chunk;
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

function plain(line: string): string {
  return line.slice(0, MAX_REST).replaceAll(ANSI, '').slice(0, MAX_LINE_LENGTH).trimEnd();
}
