import { createCell } from './cell.ts';
import type { HeldTimeline, TimelineWish } from './history/held-timeline.ts';

/** Reads what this device holds of hosts by bucket of time; null while it has no copy. */
export const heldTimelinesCell = createCell<
  ((wishes: readonly TimelineWish[]) => Promise<readonly HeldTimeline[]>) | null
>(null);
