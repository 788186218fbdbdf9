/** What is known of a segment without its bytes; see the manifest entry in `shared/schemas/segment.ts`. */
export interface SegmentNote {
  readonly hash: string;
  readonly kind: string;
  readonly rows: number;
  readonly from: number;
  readonly to: number;
  readonly seqs?: readonly number[] | undefined;
}

interface Run {
  readonly first: number;
  readonly last: number;
}

interface Part<T> {
  readonly segment: T;
  readonly runs: readonly Run[];
  readonly count: number;
}

/**
 * Segments of `held` that together hold exactly the rows of `entry`, as the hours of a day do, each row once; null when
 * there are none such, or when that is not certain. Certain is: other segments, disjoint, over the very receipt numbers of
 * the entry, with as many rows, from the same first moment to the same last. A row that was deleted meanwhile makes the
 * entry count fewer, and nothing stands in for it.
 */
export function standIns<T extends SegmentNote>(entry: SegmentNote, held: readonly T[]): readonly T[] | null {
  const wanted = runsOf(entry.seqs);
  if (wanted === null) return null;
  const parts: Part<T>[] = [];
  for (const segment of held) {
    if (segment.kind !== entry.kind || segment.from < entry.from || segment.to > entry.to) continue;
    const runs = runsOf(segment.seqs);
    if (runs?.every((run) => wanted.some((whole) => run.first >= whole.first && run.last <= whole.last)))
      parts.push({ segment, runs, count: countOf(runs) });
  }
  // Merges nest, so the largest first finds a cover where there is one; of two over the same numbers the later has fewer rows.
  parts.sort((a, b) => b.count - a.count || a.segment.rows - b.segment.rows);
  const taken: Run[] = [];
  const chosen: T[] = [];
  for (const { segment, runs } of parts) {
    if (runs.some((run) => taken.some((other) => run.first <= other.last && other.first <= run.last)))
      continue;
    taken.push(...runs);
    chosen.push(segment);
  }
  const isCertain =
    countOf(taken) === countOf(wanted) &&
    chosen.reduce((sum, { rows }) => sum + rows, 0) === entry.rows &&
    chosen.some(({ from }) => from === entry.from) &&
    chosen.some(({ to }) => to === entry.to);
  return isCertain ? chosen : null;
}

/** Pairs of first and last as runs; null when they are unknown or no ascending pairs. */
function runsOf(seqs: readonly number[] | undefined): readonly Run[] | null {
  if (seqs === undefined || seqs.length === 0 || seqs.length % 2 !== 0) return null;
  const runs: Run[] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < seqs.length; index += 2) {
    const first = seqs[index];
    const last = seqs[index + 1];
    if (first === undefined || last === undefined || first <= before || last < first) return null;
    runs.push({ first, last });
    before = last;
  }
  return runs;
}

function countOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}
