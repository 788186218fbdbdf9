import { createCell } from './cell.ts';
import type { Update } from './types.ts';

/** The waiting version. */
export const updateCell = createCell<Update>({ ready: false, reload: () => location.reload() });
