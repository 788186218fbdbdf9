import { createCell } from '../cell.ts';

/** How much of captures is kept. */
export interface KeptTotals {
  readonly count: number;
  readonly bytes: number;
}

/** What this device keeps of captures; null while that is not known. Apart, so that the first screen loads no more of them. */
export const totalsCell = createCell<KeptTotals | null>(null);
