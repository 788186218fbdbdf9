import type { ActivityFeed } from '../../data/types.ts';
import { formatCount, plural } from '../../ui/format.ts';

/**
 * `2,914 requests · 41 failed · 1 gap`. Before they are counted `200 fetched so far`, with `counting failed` when
 * `problem` says why they were not.
 */
export function countWords(
  { counts, count }: Pick<ActivityFeed, 'counts' | 'count'>,
  problem: string | null = null,
): string {
  if (counts === null) {
    return [
      ...(count === 0 ? [] : [`${formatCount(count)} fetched so far`]),
      ...(problem === null ? (count === 0 ? ['not counted yet'] : []) : ['counting failed']),
    ].join(' · ');
  }
  return [
    plural(counts.total - counts.gaps, 'request'),
    `${formatCount(counts.failed)} failed`,
    ...(counts.gaps === 0 ? [] : [plural(counts.gaps, 'gap')]),
  ].join(' · ');
}
