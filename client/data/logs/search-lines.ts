/** Longest pattern that is taken. */
export const MAX_PATTERN = 200;
/** Marks in a line past which nobody reads them. */
const MAX_RANGES = 20;

/** Part of a line that matches, in UTF-16 units of its plain text. */
export type MatchRange = readonly [start: number, end: number];

/** A job of the search worker, and its answer: ranges of each line, in the order of the job's. */
export interface SearchJob {
  readonly id: number;
  readonly pattern: string;
  readonly lines: readonly string[];
}
/** See {@link SearchJob}. */
export interface SearchAnswer {
  readonly id: number;
  readonly ranges: readonly (readonly MatchRange[])[];
}

/** The pattern as an expression, or why it is none; case does not count. */
export function compilePattern(pattern: string): RegExp | { readonly error: string } {
  try {
    return new RegExp(pattern, 'gi');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { error: message.replace(/^Invalid regular expression: /, '') };
  }
}

/** Where the pattern matches in each line. May take for ever, as patterns may: only for a worker that can be ended. */
export function searchLines(pattern: string, lines: readonly string[]): readonly (readonly MatchRange[])[] {
  const expression = compilePattern(pattern);
  if (!(expression instanceof RegExp)) return lines.map(() => []);
  return lines.map((line) => {
    const ranges: MatchRange[] = [];
    for (const match of line.matchAll(expression)) {
      if (match[0] !== '') ranges.push([match.index, match.index + match[0].length]);
      if (ranges.length >= MAX_RANGES) break;
    }
    return ranges;
  });
}
