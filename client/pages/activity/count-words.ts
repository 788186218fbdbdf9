import { formatCount, plural } from '../../ui/format.ts';

/** `last 24 h 2,914 requests · 41 failed · 1 gap`. */
export function countWords(
  counts: { readonly failed: number; readonly gaps: number; readonly total: number },
  day: string | null,
): string {
  const requests = counts.total - counts.gaps;
  return [
    `${day === null ? 'last 24 h ' : ''}${plural(requests, 'request')}`,
    `${formatCount(counts.failed)} failed`,
    ...(counts.gaps === 0 ? [] : [plural(counts.gaps, 'gap')]),
  ].join(' · ');
}
