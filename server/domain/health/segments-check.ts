import { agoWords } from '#shared/lib/age-words.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { sizeWords } from '../size-words.ts';
import { checkOf, counted } from './check.ts';

/** What is known of sealed history. */
export interface SegmentFacts {
  readonly segments: number;
  readonly bytes: number;
  /** End of the newest hour that has sealed rows; null when nothing was sealed yet. */
  readonly sealedTo: number | null;
  /** When this process sealed last; null when it has not. */
  readonly lastSealAt: number | null;
  /** Why the last seal did not go through; null when it did. */
  readonly failure: string | null;
}

const SEGMENTS = checkOf('segments', 'Segments');

/** Sealed history: how much, how new, and whether sealing goes on. */
export function segmentsCheck(
  { segments, bytes, sealedTo, lastSealAt, failure }: SegmentFacts,
  now: number,
): HealthCheck {
  const newest = lastSealAt ?? (sealedTo === null ? null : Math.min(sealedTo, now));
  const when = newest === null ? 'Nothing was sealed yet.' : `Last seal ${agoWords(now - newest)}.`;
  const detail = `${counted(segments, 'blob')}, ${sizeWords(bytes)}. ${when}`;
  if (failure === null) return SEGMENTS.ok(detail);
  return SEGMENTS.warn({
    detail: `Sealing history failed: ${failure}. Nothing is lost; it is tried again. ${detail}`,
    remediation: 'See the log; report it when it stays.',
  });
}
