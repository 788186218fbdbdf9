import { formatCount, plural } from '../../ui/format.ts';

/** `last 24 h 2,914 requests · 41 failed · 1 gap`; `span` is a day, `last-24h` or `all`. */
export function countWords(
  counts: { readonly failed: number; readonly gaps: number; readonly total: number },
  span: string,
): string {
  const requests = counts.total - counts.gaps;
  return [
    `${span === 'last-24h' ? 'last 24 h ' : ''}${plural(requests, 'request')}`,
    `${formatCount(counts.failed)} failed`,
    ...(counts.gaps === 0 ? [] : [plural(counts.gaps, 'gap')]),
  ].join(' · ');
}
