import type { ActivityRequest, SourceCertainty } from '#shared/schemas/activity.ts';

/** True for a row whose source must be written down as matched: the other two certainties follow from the source. */
export function isMatched({ source, sourceCertainty }: ActivityRequest): boolean {
  return source !== null && sourceCertainty === 'matched';
}

/**
 * The certainty of a source as written: no source is `unknown`. A source that was written before there were matched ones is
 * the host's own word, so `exact`.
 */
export function certaintyOf(source: string | null, matched: boolean): SourceCertainty {
  if (source === null) return 'unknown';
  return matched ? 'matched' : 'exact';
}
