import type { LogChunkStore } from '../domain/log-ports.ts';

/** So many chunks are deleted at once, some 1 MB: a budget that was lowered by gigabytes must not hold up the server. */
export const DELETE_CHUNKS = 200;

/**
 * Deletes the oldest chunks of whoever holds most until all fit the budget, `DELETE_CHUNKS` at most; inside a transaction.
 * Takes what it deleted off `sizes` (bytes of each host) and returns the numbers of the chunks.
 */
export function deleteOverBudget(
  store: Pick<LogChunkStore, 'oldest' | 'delete'>,
  sizes: Map<string, number>,
  budgetBytes: number,
): ReadonlySet<number> {
  const gone = new Set<number>();
  let total = totalOf(sizes);
  while (total > budgetBytes && gone.size < DELETE_CHUNKS) {
    const [most] = [...sizes].reduce((a, b) => (b[1] > a[1] ? b : a));
    const oldest = store.oldest(most);
    if (!oldest) break;
    store.delete(oldest.seq);
    gone.add(oldest.seq);
    sizes.set(most, (sizes.get(most) ?? 0) - oldest.bytes);
    total -= oldest.bytes;
  }
  return gone;
}

/** Bytes of all hosts. */
export function totalOf(sizes: ReadonlyMap<string, number>): number {
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}
