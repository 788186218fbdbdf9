import { useReadable } from '../../data/cell.ts';
import type { OutboxState } from '../../data/intents/types.ts';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { putOffReview } from '../frame/review-state.ts';
import styles from './storage-notice.module.css';

/** Says that a review was put off, and brings it back: until then nothing of it is sent. */
export function ReviewNotice({ outbox: { review } }: { readonly outbox: OutboxState }) {
  const later = useReadable(putOffReview);
  if (review === null || later !== review.since) return null;
  return (
    <div className={styles.notice}>
      <Glyph name="needs-confirmation" hue="warn" />
      <p>
        <strong>You decide later.</strong> {plural(review.ids.length, 'action')} from before you were away{' '}
        {review.ids.length === 1 ? 'is' : 'are'} not sent until then.
      </p>
      <Button onClick={() => putOffReview.set(null)}>Review</Button>
    </div>
  );
}
