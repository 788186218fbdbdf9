import { createCell } from '../../data/cell.ts';

/** Whether the palette is open; any page may open it. */
export const paletteCell = createCell(false);
