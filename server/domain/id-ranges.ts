/** Ids `fromId`…`toId`, both inclusive. */
export interface IdRange {
  readonly fromId: number;
  readonly toId: number;
}

/** `ranges` without `id`. */
export function subtractId(ranges: readonly IdRange[], id: number): readonly IdRange[] {
  if (!ranges.some((range) => range.fromId <= id && id <= range.toId)) return ranges;
  return ranges.flatMap((range) => {
    if (id < range.fromId || id > range.toId) return [range];
    const parts: IdRange[] = [
      { fromId: range.fromId, toId: id - 1 },
      { fromId: id + 1, toId: range.toId },
    ];
    return parts.filter((part) => part.fromId <= part.toId);
  });
}

/** The parts of `ranges` that `ids` (ascending) do not cover. */
export function missingIn(ranges: readonly IdRange[], ids: readonly number[]): IdRange[] {
  return ranges.flatMap((range) => {
    const holes: IdRange[] = [];
    let next = range.fromId;
    for (const id of ids) {
      if (id < next) continue;
      if (id > range.toId) break;
      if (id > next) holes.push({ fromId: next, toId: id - 1 });
      next = id + 1;
    }
    if (next <= range.toId) holes.push({ fromId: next, toId: range.toId });
    return holes;
  });
}
