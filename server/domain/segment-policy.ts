import type { SeqRange } from './store-ports.ts';

/** Sorts ranges and joins those that follow each other within an hour. */
export function joinRanges(ranges: readonly SeqRange[]): SeqRange[] {
  const joined: SeqRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.fromSeq - b.fromSeq)) {
    const last = joined.at(-1);
    if (last && last.toSeq + 1 === range.fromSeq && last.hour === range.hour) {
      joined[joined.length - 1] = { ...last, toSeq: range.toSeq };
    } else {
      joined.push(range);
    }
  }
  return joined;
}
