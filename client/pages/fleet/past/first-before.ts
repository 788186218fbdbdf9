/** A feed as far as it matters here: rows by place, the newest first. */
interface RowsByEnd {
  readonly count: number;
  readonly rowAt: (place: number) => { readonly endedAt: number } | undefined;
}

/** Place of the newest row of a feed that had ended by `at`; `count` when there is none. */
export function firstBefore({ count, rowAt }: RowsByEnd, at: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rowAt(middle)?.endedAt ?? 0) > at) low = middle + 1;
    else high = middle;
  }
  return low;
}
