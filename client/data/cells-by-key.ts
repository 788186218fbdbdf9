import type { Cell } from './cell.ts';
import { createCell } from './cell.ts';

/** Cells made on first use, one per key, so that a component wakes for its own key only. */
export interface CellsByKey<T> {
  readonly at: (key: string) => Cell<T>;
  readonly keys: () => Iterable<string>;
}

/** Makes a family of cells; a key that was never set holds `initial`. */
export function createCellsByKey<T>(initial: T): CellsByKey<T> {
  const cells = new Map<string, Cell<T>>();
  return {
    at: (key) => {
      const known = cells.get(key);
      if (known) return known;
      const fresh = createCell(initial);
      cells.set(key, fresh);
      return fresh;
    },
    keys: () => cells.keys(),
  };
}
