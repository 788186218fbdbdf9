import { createCell } from './cell.ts';
import type { HeldPerformance, PerformanceSpan } from './history/held-performance.ts';

/** Reads samples that this device holds; null while it has no copy. */
export const heldPerformanceCell = createCell<((span: PerformanceSpan) => Promise<HeldPerformance>) | null>(
  null,
);
