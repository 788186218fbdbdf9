import { createCell } from './cell.ts';
import type { HeldModelEvents, ModelEventSpan } from './history/model-events.ts';

/** Reads transitions of models that this device holds; null while it has no copy. */
export const heldModelEventsCell = createCell<((span: ModelEventSpan) => Promise<HeldModelEvents>) | null>(
  null,
);
