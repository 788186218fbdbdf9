import { createCell } from '../../data/cell.ts';

/** The review that was put off, by when it began; null: none. The outbox brings it back. */
export const putOffReview = createCell<number | null>(null);
