/** A line without an end is cut off here. */
const MAX_LINE = 8_192;
/** More than this of one chunk is far more than a tail keeps: its end counts. */
const MAX_CHUNK = 1024 * 1024;
/** Above this a line would keep the whole chunk it was cut from in memory. */
const COPY_ABOVE = 16 * 1024;
/** So many lines in a row that are known already are sure to be the same ones. */
const OVERLAP_LINES = 8;

/** Cuts the chunks of one source into lines; they begin and end anywhere. */
export class LogSplitter {
  #rest = '';

  /** The lines that this chunk completed. */
  push(chunk: string): readonly string[] {
    const end = chunk.length > MAX_CHUNK ? chunk.slice(-MAX_CHUNK) : chunk;
    const text = this.#rest + (end.length > COPY_ABOVE ? copyOf(end) : end);
    const lines = text.split('\n');
    this.#rest = (lines.pop() ?? '').slice(-MAX_LINE);
    return lines.map((line) => line.slice(0, MAX_LINE));
  }

  /** What comes next does not continue what came before. */
  reset(): void {
    this.#rest = '';
  }
}

/** A string of its own: a slice would keep what it was cut from. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/**
 * The lines of a host's own tail that are not held yet: what follows the newest held lines in it. Null when those are not
 * in it, so that nobody knows whether lines are missing in between.
 */
export function linesAfter(held: readonly string[], history: readonly string[]): readonly string[] | null {
  const known = held.slice(-OVERLAP_LINES);
  if (known.length === 0) return null;
  for (let end = history.length; end >= known.length; end -= 1) {
    const from = end - known.length;
    if (known.every((line, index) => history[from + index] === line)) return history.slice(end);
  }
  return null;
}
